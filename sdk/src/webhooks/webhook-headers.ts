/** Reads the headers of a delivery (contract 10.2) from any server's format. */

/** Headers of `fetch`, of Node's servers or in a plain object. Names match in any case. */
export type WebhookHeaders =
  | Pick<Headers, 'get'>
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface DeliveryHeaders {
  event: string | undefined
  delivery: string | undefined
  timestamp: string | undefined
  signature: string | undefined
}

/** A server's SERVICE_SLUG where its operator has chosen no other. */
export const defaultSlug = 'svc'

/** Such as `x-svc-event`: the names contain the server's slug. */
export function headerName(slug: string, part: keyof DeliveryHeaders): string {
  return `x-${slug}-${part}`
}

export function readHeaders(headers: WebhookHeaders, slug: string): DeliveryHeaders {
  const read = reader(headers)
  return {
    event: read(headerName(slug, 'event')),
    delivery: read(headerName(slug, 'delivery')),
    timestamp: read(headerName(slug, 'timestamp')),
    signature: read(headerName(slug, 'signature')),
  }
}

type Reader = (name: string) => string | undefined

function reader(headers: WebhookHeaders): Reader {
  if (isHeaders(headers)) return (name) => headers.get(name) ?? undefined
  const values = new Map(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const),
  )
  return (name) => {
    const value = values.get(name)
    // A header that was sent twice; Node joins it in the same way.
    return typeof value === 'object' ? value.join(', ') : value
  }
}

function isHeaders(headers: WebhookHeaders): headers is Pick<Headers, 'get'> {
  return typeof headers.get === 'function'
}
