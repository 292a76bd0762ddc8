/** A process that sends queued messages, controlled from outside. */
import { startHelper } from './helper.ts'

export interface SenderProcess {
  /** Stops it from claiming more until `go`. */
  hold(): Promise<void>
  go(): void
  /** The result of the work, which ends where the process dies. */
  during<T>(work: Promise<T>): Promise<T>
  /** Usage since the start of the process. */
  used(): Promise<{ cpuSeconds: number; megabytes: number }>
  end(): Promise<void>
}

/** `script` is a file of `bench/servers`, which receives its options as JSON. */
export async function startSender(script: string, options: object): Promise<SenderProcess> {
  const helper = startHelper(script, { args: [JSON.stringify(options)] })
  await helper.line()
  return {
    async hold() {
      await helper.ask('hold')
    },
    go: () => helper.write('go'),
    during: helper.during,
    used: async () => JSON.parse(await helper.ask('used')),
    end: helper.end,
  }
}
