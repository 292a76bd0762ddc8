/** Clients of an SMSC without a queue behind them, each in a process of its own. */
import { spawn } from 'node:child_process'
import path from 'node:path'
import { text } from 'node:stream/consumers'

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

export const transportClient = (options: TransportClientOptions) => run('sms-transport.ts', options)

async function run(script: string, options: object): Promise<number> {
  const file = path.join(import.meta.dirname, '../servers', script)
  const child = spawn(process.execPath, [file, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return Number(await text(child.stdout))
}
