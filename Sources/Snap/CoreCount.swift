import SnapMedia

/// The cores that this process may use.
package var coreCount: Int { Machine.cores }
