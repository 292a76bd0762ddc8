/**
 * Whether a call to our endpoint is Twilio's (its documentation, "Validate Signature Using the
 * SDK"): HMAC-SHA1, with the account's token, of the called URL and of all parameters of the form,
 * sorted by name.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

export interface TwilioCall {
  /** The whole URL as Twilio knows it: scheme, host, path and query. */
  url: string
  /** The form that Twilio posted. */
  form: URLSearchParams
  /** The header `X-Twilio-Signature`. */
  signature: string
  /** The account's auth token. */
  token: string
}

export function isTwilioCall({ url, form, signature, token }: TwilioCall): boolean {
  const received = Buffer.from(signature, 'base64')
  const fields = fieldsOf(form)
  // Twilio signs with the standard port or without it, which differs from edge to edge.
  return spellingsOf(url).some((spelling) => {
    const expected = createHmac('sha1', token)
      .update(spelling + fields)
      .digest()
    return received.length === expected.length && timingSafeEqual(received, expected)
  })
}

function fieldsOf(form: URLSearchParams): string {
  return [...new Set(form.keys())]
    .sort()
    .map((name) =>
      [...new Set(form.getAll(name))]
        .sort()
        .map((value) => name + value)
        .join(''),
    )
    .join('')
}

function spellingsOf(url: string): string[] {
  const [, scheme, name, port, rest] =
    /^(https?):\/\/([^/?#]+?)(?::(\d+))?([/?].*)?$/.exec(url) ?? []
  if (!scheme || !name) return []
  const standard = scheme === 'https' ? '443' : '80'
  return [
    `${scheme}://${name}${rest ?? ''}`,
    `${scheme}://${name}:${port ?? standard}${rest ?? ''}`,
  ]
}
