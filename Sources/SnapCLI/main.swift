import ArgumentParser
import Snap
