import CSystem

/// The cores that this process may use, 1 or more. The corresponding C function is `sched_getaffinity`.
package let coreCount = Int(csystem_core_count())
