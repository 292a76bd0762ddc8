/** What the libraries of Standard Webhooks and Svix say of a delivery; both throw what is wrong. */
import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'

export function verifyStandard(secret: string, body: string, headers: object): unknown {
  const lines = headers as Record<string, string>
  new SvixWebhook(secret).verify(body, lines)
  return new Webhook(secret).verify(body, lines)
}
