/**
 * Returns the processor milliseconds that this thread spends on some work. Unlike the time that passes, they do not
 * grow if other processes keep the machine busy.
 */
export async function processorMs(work: () => unknown): Promise<number> {
  const from = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(from)
  return (user + system) / 1000
}
