/**
 * Verifies a signed request as S3 does: from the received line and headers, without any code of the
 * client. `lib/s3/signature.test.ts` checks it against AWS's published examples.
 */

import { createHash, createHmac } from 'node:crypto'

export interface ReceivedRequest {
  method: string
  /** Path and query, as received. */
  target: string
  /** By lower-case names. */
  headers: Readonly<Record<string, string>>
}

/** The S3 error code, or undefined if the signature is valid. */
export function signatureFault(
  { method, target, headers }: ReceivedRequest,
  { keyId, secret, region }: { keyId: string; secret: string; region: string },
): string | undefined {
  const authorization = headers['authorization'] ?? ''
  const part = (name: string) =>
    authorization
      .split(/[ ,]+/)
      .find((entry) => entry.startsWith(`${name}=`))
      ?.slice(name.length + 1)
  const [claimedKey, day, ofRegion, service, ending] = (part('Credential') ?? '').split('/')
  if (!authorization.startsWith('AWS4-HMAC-SHA256 ')) return 'AccessDenied'
  if (claimedKey !== keyId) return 'InvalidAccessKeyId'
  if (ofRegion !== region || service !== 's3' || ending !== 'aws4_request') {
    return 'AuthorizationHeaderMalformed'
  }
  const signed = (part('SignedHeaders') ?? '').split(';')
  const needed = ['host', 'x-amz-content-sha256', 'x-amz-date']
  if (!needed.every((name) => signed.includes(name))) return 'AccessDenied'
  const time = headers['x-amz-date'] ?? ''
  if (!time.startsWith(day ?? '-')) return 'AccessDenied'
  const [path = '', query = ''] = target.split('?')
  const canonicalQuery = query === '' ? '' : sortedQuery(query)
  const lines = signed.map((name) => `${name}:${(headers[name] ?? '').trim()}\n`).join('')
  const payload = headers['x-amz-content-sha256'] ?? ''
  const canonical = `${method}\n${path}\n${canonicalQuery}\n${lines}\n${signed.join(';')}\n${payload}`
  const hash = createHash('sha256').update(canonical).digest('hex')
  const text = `AWS4-HMAC-SHA256\n${time}\n${day}/${region}/s3/aws4_request\n${hash}`
  const hmac = (key: string | Buffer, data: string) =>
    createHmac('sha256', key).update(data).digest()
  const key = hmac(hmac(hmac(hmac(`AWS4${secret}`, day ?? ''), region), 's3'), 'aws4_request')
  const right = hmac(key, text).toString('hex')
  return part('Signature') === right ? undefined : 'SignatureDoesNotMatch'
}

function sortedQuery(query: string): string {
  return query
    .split('&')
    .map((part) => (part.includes('=') ? part : `${part}=`))
    .sort()
    .join('&')
}
