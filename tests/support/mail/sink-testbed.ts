/** A service whose relay is an `smtp-sink`, for all tests of a file that send campaigns. */
import { after, before } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../operations/support/testbed.ts'
import { relaySettings } from '../businesses/campaign-runs.ts'
import type { ServiceOptions } from '../processes/service.ts'
import { type SinkOptions, type SmtpSink, startSmtpSink, withoutSmtpSink } from './smtp-sink.ts'

interface SinkTestbed {
  /** Why the tests are skipped, or false. */
  skip: string | false
  readonly testbed: OwnTestbed
  readonly sink: SmtpSink
}

/** Opens before the first test of the file, and closes after the last. */
export function sinkTestbed(
  /** Parameters of the relay's URL, such as `?pool=4&rate=60`. */
  relay: string,
  { sink: sinkOptions, ...more }: Pick<ServiceOptions, 'settings'> & { sink?: SinkOptions } = {},
): SinkTestbed {
  const skip = withoutSmtpSink() ?? false
  let opened: Pick<SinkTestbed, 'testbed' | 'sink'> | undefined
  before(async () => {
    if (skip) return
    const sink = await startSmtpSink(sinkOptions)
    opened = { sink, testbed: await openTestbed(relaySettings(sink.url(relay), more.settings)) }
  })
  after(async () => {
    await opened?.testbed.close()
    await opened?.sink.stop()
  })
  const now = () => {
    if (!opened) throw new Error('the testbed opens before the first test')
    return opened
  }
  return {
    skip,
    get testbed() {
      return now().testbed
    },
    get sink() {
      return now().sink
    },
  }
}
