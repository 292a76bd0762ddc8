/** The bytes of a picture, from the body of a request, from base64, or from an address. */

import { imageLimits } from '../config/images.ts'
import { isRefusal, type Refusal, refuse } from '../core/errors.ts'
import type { Lazy } from '../lib/concurrency/lazily.ts'
import type { Outbound } from '../lib/http-client/outbound-fetch.ts'

export interface PictureSource {
  file: AsyncIterable<Uint8Array> | undefined
  data: string | undefined
  url: string | undefined
}

export async function readPicture(
  { file, data, url }: PictureSource,
  outbound: Lazy<Outbound>,
): Promise<Buffer | Refusal> {
  const given = Object.entries({ file, data, url }).filter(([, one]) => one !== undefined)
  const [, second] = given
  if (given.length === 0) {
    const text =
      'data is missing: the picture as base64, or url, its address. A REST call may also send it as its body.'
    return no('data', text)
  }
  if (second) return no(second[0], `${second[0]} is a second picture: send one by each call.`)
  const read = file
    ? await fromBody(file)
    : url === undefined
      ? fromBase64(data ?? '')
      : await fromAddress(url, outbound)
  if (isRefusal(read)) return read
  return read.length === 0 ? no('data', 'The picture is empty.') : read
}

async function fromBody(file: AsyncIterable<Uint8Array>): Promise<Buffer | Refusal> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of file) {
    bytes += chunk.length
    if (bytes > imageLimits.uploadBytes) return tooLarge('file')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function fromBase64(data: string): Buffer | Refusal {
  if ((data.length * 3) / 4 > imageLimits.uploadBytes + 3) return tooLarge('data')
  const bytes = Buffer.from(data, 'base64')
  // Node skips what is not base64; the same bytes must come out as they were written.
  const plain = data.replaceAll('\n', '').replaceAll('\r', '').replaceAll('=', '')
  if (bytes.toString('base64').replaceAll('=', '') !== plain) {
    return no(
      'data',
      'data takes the bytes of the picture as base64, without a "data:" before them.',
    )
  }
  return bytes.length > imageLimits.uploadBytes ? tooLarge('data') : bytes
}

async function fromAddress(url: string, outbound: Lazy<Outbound>): Promise<Buffer | Refusal> {
  const answer = await (await outbound.get()).fetch({
    url,
    headers: { accept: 'image/png, image/jpeg, image/gif, image/webp' },
    deadlineMs: imageLimits.fetchMs,
    bodyMs: imageLimits.fetchMs,
    maxBytes: imageLimits.uploadBytes + 1,
  })
  if (answer.outcome === 'failed') {
    const { refusal, reason } = answer
    return no('url', refusal?.message ?? `No picture came from there (${reason}).`)
  }
  if (answer.status !== 200) {
    const text = `The server there answered ${answer.status}, and redirects are not followed: give the address of the picture itself.`
    return no('url', text)
  }
  if (answer.body.length > imageLimits.uploadBytes) return tooLarge('url')
  return answer.complete ? answer.body : no('url', 'The picture did not arrive whole from there.')
}

function tooLarge(field: string): Refusal {
  const text = `A picture takes at most ${imageLimits.uploadBytes} bytes: send a smaller one.`
  return refuse('too_large', text, { field })
}

const no = (field: string, text: string): Refusal => refuse('invalid_request', text, { field })
