/** The memory of the service's process, without its database. */
import { setTimeout as sleep } from 'node:timers/promises'
import { startDriver } from './load/drive.ts'
import { atMost, type Bench, median, number } from './support/bench.ts'
import { businessListCalls } from './support/calls.ts'
import { residentMegabytes } from './support/resident-memory.ts'
import { sizes } from './support/sizes.ts'
import { openTestbed } from './support/testbed.ts'

const { idleMs, restMs, readMs, few, many } = sizes.memory

export const memory: Bench = {
  name: 'memory',
  title: "Memory of the service's process",
  method: `Resident memory of the process that serves (role all), without PostgreSQL's: ${idleMs / 1000} s after start; then after ${number(few)} and ${number(many)} calls of \`business.list\` from 64 connections, each the median of readings over 5 s, after ${restMs / 1000} s of rest.`,

  async run(tell) {
    const testbed = await openTestbed()
    try {
      tell(`idle for ${idleMs / 1000} s`)
      await sleep(idleMs)
      const idle = residentMegabytes(testbed.service.pid)
      tell(`idle: ${number(idle)} MB`)
      const source = await businessListCalls(testbed)
      const driver = await startDriver({ port: testbed.service.port, source })
      try {
        const after = async (requests: number) => {
          const load = await driver.run({ requests })
          if (load.requests !== requests) throw new Error(`only ${load.requests} calls were made`)
          tell(`${number(requests)} calls at ${number(load.perSecond)}/s`)
          const loaded = residentMegabytes(testbed.service.pid)
          return { loaded, rested: await atRest(testbed.service.pid) }
        }
        const afterFew = await after(few)
        const afterMany = await after(many - few)
        return [
          atMost('idle', idle, 160, ' MB'),
          { name: `at the end of ${number(many)} calls`, value: `${number(afterMany.loaded)} MB` },
          { name: `after ${number(few)} calls`, value: `${number(afterFew.rested)} MB` },
          { name: `after ${number(many)} calls`, value: `${number(afterMany.rested)} MB` },
          atMost('the latter to the former', afterMany.rested / afterFew.rested, 1.1),
        ]
      } finally {
        await driver.stop()
      }
    } finally {
      await testbed.close()
    }
  },
}

async function atRest(pid: number): Promise<number> {
  await sleep(restMs)
  const readings: number[] = []
  for (let i = 0; i < 10; i++) {
    await sleep(readMs)
    readings.push(residentMegabytes(pid))
  }
  return median(readings)
}
