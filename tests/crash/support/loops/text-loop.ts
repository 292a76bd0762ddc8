/** kill -9 while texts are sent to an SMSC. */
import { startSmsc } from '../../../support/sms/smsc.ts'
import { zoneWhereItIs } from '../../../support/time/zones.ts'
import { ordersBy } from '../orders.ts'
import { type SendLoopOptions, type SendReport, sendLoop } from './send-loop.ts'

export interface TextLoopOptions extends SendLoopOptions {
  /** The most texts that may await a response of the SMSC at once. */
  window: number
}

export async function textLoop({ window, ...options }: TextLoopOptions): Promise<SendReport> {
  const smsc = await startSmsc()
  const remote = {
    env: { SMS_URL: smsc.url(`?window=${window}&from=12345`) },
    taken: async () =>
      smsc.all('submit').map((seen) => `+${plainNumber(seen['destination_addr'])}`),
    stop: () => smsc.stop(),
  }
  return sendLoop(remote, orderTexts, options)
}

const plainNumber = (address: unknown) => String(address).replace(/^\+/, '')

const phoneOf = (n: number) => `+336${12_000_000 + n}`

/** Marketing goes to places where it is day for as long as this runs. */
const orderTexts = ordersBy({
  channel: 'sms',
  to: phoneOf,
  person: (n) => ({ phone: phoneOf(n), attributes: { time_zone: zoneWhereItIs(10) } }),
  says: () => ({}),
  nameOf: ({ to }) => to,
})
