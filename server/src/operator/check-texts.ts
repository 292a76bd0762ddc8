/** Checks whether the SMS provider answers, as far as possible without sending a text. */

import { type Finding, fail, ok } from '../checks/finding.ts'
import { type Config, mayShowInbox } from '../config.ts'
import { createLog } from '../lib/process/log.ts'
import { createSmppTransport } from '../lib/sms/smpp/smpp-transport.ts'
import { systemClock } from '../lib/time/clock.ts'
import { Unreachable } from '../lib/transport/unreachable.ts'

type TextSettings = Pick<Config, 'sms'> & Parameters<typeof mayShowInbox>[0]

export async function textsFinding({ sms, ...settings }: TextSettings): Promise<Finding> {
  if (sms === undefined) {
    if (!mayShowInbox(settings)) return ok('texts', 'none are sent: SMS_URL is not set')
    return ok('texts', 'the test phones; nothing leaves this machine')
  }
  const address = `${sms.provider} at ${sms.host}:${sms.port}`
  // The other providers do not check the password until a text is sent.
  if (sms.provider !== 'smpp') return ok('texts', `${address}; checked with the first text`)
  const listener = { receipt: async () => {}, inbound: async () => {} }
  const transport = createSmppTransport(sms, {
    clock: systemClock,
    log: createLog('silent'),
    listener,
  })
  try {
    await transport.use('normal', async () => undefined)
    return ok('texts', `${address} answers and accepts the password`)
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    const words = error.words === undefined ? '' : `: ${error.words}`
    return fail('texts', `${address} does not work (${error.code})${words}`, mend)
  } finally {
    await transport.close()
  }
}

const mend = 'Check host, port, id and password in SMS_URL, and that this machine can reach it.'
