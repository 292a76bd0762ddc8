/** How long `npm start` takes until discovery responds, with packages already installed. */
import { type DataDir, newDataDir } from '../tests/crash/support/data-dir.ts'
import { startService } from '../tests/crash/support/service-process.ts'
import { freePort } from '../tests/support/network/port.ts'
import { atMost, type Bench, number } from './support/bench.ts'
import { sizes } from './support/sizes.ts'

const { laterStarts } = sizes.start

export const start: Bench = {
  name: 'start',
  title: '`npm start` until discovery answers',
  method: `The command itself, on an empty DATA_DIR, then ${laterStarts} times on the one that it made; the slowest of those counts.`,

  async run(tell) {
    const dataDir = await newDataDir()
    try {
      const first = await startAndStop(dataDir)
      tell(`first start: ${number(first)} s`)
      const later: number[] = []
      for (let i = 0; i < laterStarts; i++) later.push(await startAndStop(dataDir))
      tell(`later starts: ${later.map((seconds) => `${number(seconds)} s`).join(', ')}`)
      return [
        atMost('first start', first, 15, ' s'),
        atMost('later starts', Math.max(...later), 3, ' s'),
      ]
    } finally {
      await dataDir.remove()
    }
  },
}

async function startAndStop(dataDir: DataDir): Promise<number> {
  const service = await startService({
    dataDir: dataDir.path,
    port: await freePort(),
    command: ['npm', 'start', '--silent'],
    readyPath: '/.well-known/oauth-authorization-server',
  })
  await service.stop()
  return service.readyAfter / 1000
}
