/**
 * The milliseconds of CPU time of this thread so far: the difference between two values is the cost
 * of the work between them, whatever else the machine does.
 */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
