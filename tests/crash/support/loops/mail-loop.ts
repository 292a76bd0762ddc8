/** kill -9 while mail is sent to Postfix's smtp-sink. */
import { formatId } from '../../../../server/src/core/ids.ts'
import { startSmtpSink } from '../../../support/mail/smtp-sink.ts'
import { ordersBy } from '../orders.ts'
import { type SendLoopOptions, type SendReport, sendLoop } from './send-loop.ts'

export interface MailLoopOptions extends SendLoopOptions {
  /** Connections to the relay. */
  connections: number
}

export async function mailLoop({ connections, ...options }: MailLoopOptions): Promise<SendReport> {
  const sink = await startSmtpSink({ keep: true })
  const remote = {
    env: {
      SMTP_URL: sink.url(`?pool=${connections}&warmup=no`),
      SENDER_GATE: 'off',
      MAIL_FROM: 'hello@shop.example',
    },
    taken: async () => namesIn(await sink.messages()),
    stop: () => sink.stop(),
  }
  return sendLoop(remote, orderMail, options)
}

export function namesIn(received: string[]): string[] {
  return received.map((text) => /^Message-ID: <(msg_[0-9a-z]{26})@/m.exec(text)?.[1] ?? '')
}

const addressOf = (n: number) => `person-${n}@example.net`

export const orderMail = ordersBy({
  channel: 'email',
  to: addressOf,
  person: (n) => ({ email: addressOf(n) }),
  says: (n) => ({ subject: `Number ${n}`, trackOpens: true, trackClicks: true }),
  // The beginning of the Message-ID.
  nameOf: ({ id }) => formatId('message', id),
})
