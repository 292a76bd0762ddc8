/**
 * Milliseconds that this thread has computed so far: the difference of two is what the work
 * between them costs, whatever else the machine does meanwhile.
 */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
