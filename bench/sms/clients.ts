/** Clients of an SMSC without a queue behind them, each in a process of its own. */
import { startHelper } from '../support/helper.ts'

export interface BareClientOptions {
  port: number
  user: string
  password: string
  window: number
  texts: number
  body: string
}

export interface TransportClientOptions {
  smsUrl: string
  texts: number
  body: string
}

/** Texts per second. */
export const bareClient = (options: BareClientOptions) => run('sms-bare.ts', options)

export const transportClient = (options: TransportClientOptions) =>
  run('sms-transport-server.ts', options)

async function run(script: string, options: object): Promise<number> {
  return Number(await startHelper(script, { args: [JSON.stringify(options)] }).output())
}
