/** Requests that prove a notification as each mail provider documents it. */
import { createHmac } from 'node:crypto'
import type { ExampleProvider } from './provider-examples.ts'

export const login = 'crier:a-password-of-the-tests'
export const mailgunKey = 'key-of-the-tests-of-mailgun'
/** The secret and the request of https://docs.svix.com/receiving/verifying-payloads/how-manual. */
export const svixSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
export const svixExample = {
  body: '{"test": 2432232314}',
  headers: {
    'svix-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'svix-timestamp': '1614265330',
    'svix-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
}

let sent = 0

/** The request with this payload, as the provider sends it at that moment. */
export function requestOf(provider: ExampleProvider, payload: unknown, now: Date) {
  const time = String(Math.floor(now.getTime() / 1000))
  if (provider === 'mailgun') {
    const token = `token-${sent++}`
    const signature = createHmac('sha256', mailgunKey).update(`${time}${token}`).digest('hex')
    const signed = { signature: { timestamp: time, token, signature }, 'event-data': payload }
    return { body: JSON.stringify(signed), headers: {} }
  }
  const body = JSON.stringify(payload)
  if (provider === 'resend') return { body, headers: svixHeaders(body, time, `msg_${sent++}`) }
  const authorization = `Basic ${Buffer.from(login).toString('base64')}`
  return { body, headers: { authorization } }
}

export function svixHeaders(body: string, time: string, id: string) {
  const key = Buffer.from(svixSecret.slice('whsec_'.length), 'base64')
  const mac = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')
  return { 'svix-id': id, 'svix-timestamp': time, 'svix-signature': `v1,${mac}` }
}
