/** The code in a process that sends queued messages: it starts, pauses and reports its usage. */
import { readdir, readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Worker } from '../../server/src/lib/jobs/worker.ts'

/** Ends the process when its standard input ends. */
export async function handleUntilEnd(
  newWorker: () => Worker,
  { began, stop }: { began(worker: Worker): void; stop(): Promise<void> },
): Promise<never> {
  let worker = newWorker()
  began(worker)
  const runCommand = async (command: string): Promise<void> => {
    if (command === 'go') await worker.start()
    if (command === 'hold') {
      await worker.stop()
      worker = newWorker()
      began(worker)
      say('held')
    }
    if (command === 'used') {
      const megabytes = process.memoryUsage().rss / 1e6
      say(JSON.stringify({ cpuSeconds: await cpuSeconds(), megabytes }))
    }
  }
  say('ready')
  for await (const line of createInterface({ input: process.stdin })) await runCommand(line)
  await worker.stop()
  await stop()
  process.exit(0)
}

const say = (line: string) => process.stdout.write(`${line}\n`)

/** As the scheduler counts, to the nanosecond: in virtual machines ticks miss a lot. */
async function cpuSeconds(): Promise<number> {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
  let sum = 0
  for (const task of await readdir('/proc/self/task')) {
    const text = await readFile(`/proc/self/task/${task}/schedstat`, 'utf8')
    sum += Number(text.split(' ')[0])
  }
  return sum / 1e9
}
