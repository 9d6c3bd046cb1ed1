/// The right to compute, of processes that share cores: one has it while it has bytes to work on.
package protocol CoreTurn: Sendable {
    /// Waits until it is this process's turn; returns at once if it is.
    func take()

    /// Lets others compute, if it was this process's turn.
    func giveBack()
}
