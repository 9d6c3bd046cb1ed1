@_exported public import SnapBase
