"""Takes pictures of all videos in a list on a Spark cluster, and says what came of each.

    spark-submit spark.py /shared/videos.txt /shared/result -- --at 50% --size 320 -o '/shared/pictures/{stem}.jpg'

Every machine needs the snap command and must see the videos and the folder for pictures under the same names. Behind
`--` come options of `snap batch`. The result is a folder of JSON lines, one receipt a picture (docs/receipt.md); Spark
writes _SUCCESS into it when it is complete.
"""

import argparse
import json
import os
import shlex
import sys

from pyspark.sql import SparkSession

parser = argparse.ArgumentParser(description="Takes pictures of all videos in a list on a Spark cluster.")
parser.add_argument("list", help="text file with an input a line")
parser.add_argument("result", help="folder for the receipts; must not be there yet")
parser.add_argument("options", nargs="*", help="behind --: options of snap batch")
parser.add_argument("--snap", default="snap", help="the command on the cluster's machines")
# A machine that is lost costs the partitions that it worked on: small ones make that cheap, large ones start snap less.
parser.add_argument("--inputs-per-partition", type=int, default=500, metavar="N")
arguments = parser.parse_args()

spark = SparkSession.builder.appName("snap").getOrCreate()
context = spark.sparkContext

# An input that is listed twice would be worked on in two places, and its picture written twice.
# Partitions are cut here, not by repartition(): when an executor is lost, its shuffle could deal the inputs out another
# way the second time, and Spark fails the job rather than have some twice and some not at all.
inputs = sorted(context.textFile(arguments.list).filter(len).distinct().collect())
partitions = context.parallelize(inputs, max(1, -(-len(inputs) // arguments.inputs_per_partition)))

# As many worker processes as Spark counts processors for a task, since other tasks have the rest of the machine.
batch = [arguments.snap, "batch", "--from-file", "-", "--ndjson", "--progress", "none"]
batch += ["--jobs", context.getConf().get("spark.task.cpus", "1"), *arguments.options]

# 1 and 3 say that all or some inputs failed: that is a result, with receipts, and would be the same the next time.
# Any other status is a failed task, which Spark runs again elsewhere. pipe() looks at the status only when told to.
script = shlex.join(batch) + "; s=$?; [ $s = 1 ] || [ $s = 3 ] || exit $s"
receipts = partitions.pipe(shlex.join(["sh", "-c", script]), env={"PATH": os.environ["PATH"]}, checkCode=True)


def without_index(line: str) -> str:
    """The index counts the inputs of a partition, which means nothing outside it."""
    receipt = json.loads(line)
    del receipt["index"]
    return json.dumps(receipt, ensure_ascii=False)


# Only what a successful attempt printed gets into the result. The pictures of an attempt that was lost stay, whole as
# snap writes them, and are replaced by those of the next.
receipts.map(without_index).saveAsTextFile(arguments.result)

result = spark.read.schema("input STRING, status STRING, code STRING").json(arguments.result).cache()
for row in result.groupBy("status", "code").count().orderBy("status", "code").collect():
    print(f"{row['count']:>10,}  {row['status']} ({row['code']})")
answered = result.select("input").distinct().count()
print(f"{answered:>10,}  inputs of {len(inputs):,}")
spark.stop()
sys.exit(0 if answered == len(inputs) else 1)
