import ArgumentParser
import Snap
print("hi")
