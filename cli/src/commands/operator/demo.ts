import { print } from '../../output/output.ts'
import { onServer } from '../../server.ts'
import { outliveTheTerminal } from './serve.ts'

/** Makes the demo and runs the service until Ctrl-C, or removes the demo. */
export async function demo(options: { wipe?: boolean }): Promise<void> {
  if (options.wipe) {
    const removed = await onServer((server) => server.operate((operator) => operator.demo.wipe()))
    print({ demo: 'removed', rows: removed })
    return
  }
  outliveTheTerminal()
  await onServer((server) => server.demoHere((line) => process.stdout.write(`${line}\n`)))
  process.exit()
}
