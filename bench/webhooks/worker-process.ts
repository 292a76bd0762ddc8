/** A process that fans out and delivers, controlled from outside. */
import { startHelper } from '../support/helper.ts'
import type { Place } from '../writes/support/place.ts'

export interface WorkerProcess {
  go(): Promise<void>
  /** The result of the work, which ends where the process dies. */
  during<T>(work: Promise<T>): Promise<T>
  /** Megabytes. */
  memory(): Promise<number>
  end(): Promise<void>
}

export async function startWebhookWorker(place: Place): Promise<WorkerProcess> {
  const helper = startHelper('webhook-worker.ts', {
    flags: ['--max-semi-space-size=8'],
    args: [JSON.stringify(place)],
  })
  await helper.line()
  return {
    go: async () => void (await helper.ask('go')),
    during: helper.during,
    memory: async () => Number(await helper.ask('memory')),
    end: helper.end,
  }
}
