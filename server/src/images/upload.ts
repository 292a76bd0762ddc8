import { createHash } from 'node:crypto'
import { imageLimits } from '../config/images.ts'
import { isRefusal, orRefusal, type Refusal, refuse } from '../core/errors.ts'
import { type Id, newId } from '../core/ids.ts'
import { type BusinessContext, operation } from '../core/operation.ts'
import type { Lazy } from '../lib/concurrency/lazily.ts'
import { createQueues } from '../lib/concurrency/queues.ts'
import type { Outbound } from '../lib/http-client/outbound-fetch.ts'
import { Type } from '../lib/schema/schema.ts'
import { isSingleLine, singleLine } from '../lib/text/single-line.ts'
import { checkFetchedAddress } from '../sender-domains/senders/fetched-address.ts'
import type { ImageFacility } from './facility.ts'
import { type Image, imageFields, newFileName, pathOf, viewOf } from './image.ts'
import { findSame, insertImage, usedBy } from './queries.ts'
import { formatOf, imageTypes } from './resizing/formats.ts'
import type { Resized } from './resizing/resize.ts'

export function imageUpload(facility: ImageFacility) {
  const turns = createTurns(imageLimits.waiting)
  return operation({
    name: 'image.upload',
    title: 'Upload a picture',
    area: 'templates',
    unlisted: true,
    summary:
      'Store a PNG, JPEG, GIF or WebP for mail, and get its public address for a block or HTML. It is prepared for mail: at most 1,200 pixels wide, without camera metadata.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'editor',
    tier: 'free',
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
    rest: 'POST /v1/images',
    status: 201,
    file: imageTypes,
    bodyBytes: imageLimits.callBytes,
    input: {
      data: Type.Optional(Type.String({ description: 'The picture as base64.' })),
      url: Type.Optional(
        Type.String({ maxLength: 2_000, description: 'Its address, from which it is copied.' }),
      ),
      file_name: Type.Optional(
        Type.String({ maxLength: imageLimits.nameLength, description: 'For your own list.' }),
      ),
      alt: Type.Optional(
        Type.String({ maxLength: imageLimits.altLength, description: 'What it shows.' }),
      ),
    },
    output: Type.Object(imageFields),

    async run(context, { data, url, file_name = '', alt = '' }) {
      const words = { name: singleLine(file_name) || 'picture', alt: singleLine(alt) || null }
      for (const [field, text] of Object.entries({
        file_name: words.name,
        alt: words.alt ?? 'a',
      })) {
        if (!isSingleLine(text)) {
          throw refuse('invalid_request', `${field} must be one line of text.`, {
            field,
            data: { reason: 'one_line' },
          })
        }
      }
      if (url !== undefined) {
        const action = 'Copying a picture'
        await checkFetchedAddress(context, { url, field: 'url', action, page: '/brand' })
      }
      const source = { file: context.file, data, url }
      const image = await turns.take(context.business.id, () =>
        take(facility, context, { given: source, words }),
      )
      return viewOf(facility.baseUrl, image)
    },
  })
}

interface Upload {
  given: PictureSource
  words: Pick<Image, 'name' | 'alt'>
}

/** A picture that is stored already is not stored again. */
async function take(
  { files, outbound }: ImageFacility,
  { db, business, now, write }: BusinessContext,
  { given: source, words }: Upload,
): Promise<Image> {
  const picture = await readPicture(source, outbound)
  const sha256 = createHash('sha256').update(picture).digest()
  const same = await findSame(db, business.id, sha256)
  if (same) return same
  const fitted = await fitForMail(picture)
  const { data, ...about } = fitted
  const full = await refuseFull(db, business.id, data.length)
  if (full) throw full
  const image = {
    id: newId('image'),
    file: newFileName(),
    ...words,
    ...about,
    bytes: data.length,
    createdAt: now,
  }
  const path = pathOf(image.file, image.kind)
  await files.write(
    path,
    (async function* () {
      yield data
    })(),
  )
  const refused = await orRefusal(() =>
    write(async (tx) => {
      await insertImage(tx, business.id, { ...image, sha256 })
      return {}
    }),
  )
  if (isRefusal(refused)) {
    await files.remove(path)
    throw refused
  }
  const stored = await findSame(db, business.id, sha256)
  // The same picture came by another call meanwhile, or this call is the repetition of another.
  if (stored?.file !== image.file) await files.remove(path)
  if (stored) return stored
  throw refuse('conflict', 'The image was deleted in the meantime. Upload it again.', {
    data: { reason: 'picture_deleted' },
  })
}

/** Decoding takes a lot of memory, so pictures wait for each other. */
const resizing = createQueues()

async function fitForMail(picture: Buffer) {
  const format = formatOf(picture)
  if (format === undefined) {
    throw refuse(
      'unsupported_media_type',
      'This is not a PNG, JPEG, GIF or WebP. SVG is not accepted, because it can contain scripts and few email clients show it.',
      { field: 'data' },
    )
  }
  const { resize } = await import('./resizing/resize.ts')
  const resized = await resizing.take('all', () => resize(picture, format))
  if ('fault' in resized) throw refuseFault(resized.fault)
  if (resized.data.length > imageLimits.storedBytes) {
    const text = `The picture has ${resized.data.length} bytes once it is ready for email; the limit is ${imageLimits.storedBytes}. Send one with fewer colours or frames.`
    throw refuse('too_large', text, { field: 'data' })
  }
  return resized
}

function refuseFault(fault: Extract<Resized, { fault: unknown }>['fault']): Refusal {
  const field = { field: 'data' }
  switch (fault) {
    case 'unreadable':
      return refuse(
        'invalid_request',
        'The image is corrupt. Save it again and upload that file.',
        { ...field, data: { reason: 'picture_corrupt' } },
      )
    case 'pixels': {
      const text = `The picture has more than ${imageLimits.pixels} pixels in all its frames: send a smaller one.`
      return refuse('too_large', text, {
        ...field,
        data: { reason: 'picture_too_many_pixels', limit: imageLimits.pixels },
      })
    }
    case 'frames': {
      const text = `The picture has more than ${imageLimits.frames} frames: send fewer.`
      return refuse('too_large', text, {
        ...field,
        data: { reason: 'picture_too_many_frames', limit: imageLimits.frames },
      })
    }
    case 'time':
      return refuse('too_large', 'The image takes too long to process. Upload a smaller one.', {
        ...field,
        data: { reason: 'picture_takes_long' },
      })
  }
}

async function refuseFull(
  db: BusinessContext['db'],
  businessId: Id<'business'>,
  bytes: number,
): Promise<Refusal | undefined> {
  const { perBusiness, bytesPerBusiness } = imageLimits
  const used = await usedBy(db, businessId)
  const text =
    used.images >= perBusiness
      ? `A business has at most ${perBusiness} pictures: delete some first.`
      : used.bytes + bytes > bytesPerBusiness
        ? `The pictures of a business can be at most ${bytesPerBusiness} bytes: delete some first.`
        : undefined
  if (text === undefined) return undefined
  return refuse('conflict', text, {
    fix: { tool: 'image.list', arguments: {} },
    data: { reason: 'no_room_for_pictures' },
  })
}

interface PictureSource {
  file: AsyncIterable<Uint8Array> | undefined
  data: string | undefined
  url: string | undefined
}

/** The bytes of a picture, from the body of a request, from base64, or from an address. */
async function readPicture(
  { file, data, url }: PictureSource,
  outbound: Lazy<Outbound>,
): Promise<Buffer> {
  const sources = Object.entries({ file, data, url }).filter(([, value]) => value !== undefined)
  const [, second] = sources
  if (sources.length === 0) {
    const text =
      'data is missing: the picture as base64, or url, its address. A REST call may also send it as its body.'
    throw no('data', text)
  }
  if (second) throw no(second[0], `${second[0]} is a second picture: send one by each call.`)
  const read = file
    ? await fromBody(file)
    : url === undefined
      ? fromBase64(data ?? '')
      : await fromAddress(url, outbound)
  if (read.length === 0) throw no('data', 'The picture is empty.')
  return read
}

async function fromBody(file: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of file) {
    bytes += chunk.length
    if (bytes > imageLimits.uploadBytes) throw tooLarge('file')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function fromBase64(data: string): Buffer {
  if ((data.length * 3) / 4 > imageLimits.uploadBytes + 3) throw tooLarge('data')
  const bytes = Buffer.from(data, 'base64')
  // Node skips what is not base64; the same bytes must come out as they were written.
  const plain = data.replaceAll('\n', '').replaceAll('\r', '').replaceAll('=', '')
  if (bytes.toString('base64').replaceAll('=', '') !== plain) {
    throw no(
      'data',
      'data must be the bytes of the picture as base64, without a "data:" before them.',
    )
  }
  if (bytes.length > imageLimits.uploadBytes) throw tooLarge('data')
  return bytes
}

async function fromAddress(url: string, outbound: Lazy<Outbound>): Promise<Buffer> {
  const answer = await (await outbound.get()).fetch({
    url,
    headers: { accept: 'image/png, image/jpeg, image/gif, image/webp' },
    deadlineMs: imageLimits.fetchMs,
    bodyMs: imageLimits.fetchMs,
    maxBytes: imageLimits.uploadBytes + 1,
  })
  if (answer.outcome === 'failed') {
    const { refusal, reason } = answer
    throw no('url', refusal?.message ?? `No picture came from there (${reason}).`)
  }
  if (answer.status !== 200) {
    const text = `The server there answered ${answer.status}, and redirects are not followed: give the address of the picture itself.`
    throw no('url', text)
  }
  if (answer.body.length > imageLimits.uploadBytes) throw tooLarge('url')
  if (answer.complete) return answer.body
  throw no('url', 'The image download was incomplete.')
}

function tooLarge(field: string): Refusal {
  const text = `A picture can be at most ${imageLimits.uploadBytes} bytes: send a smaller one.`
  return refuse('too_large', text, {
    field,
    data: { reason: 'picture_too_large', limit: imageLimits.uploadBytes },
  })
}

const no = (field: string, text: string): Refusal =>
  refuse('invalid_request', text, { field, data: { reason: 'no_picture' } })

interface Turns {
  take<T>(businessId: string, work: () => Promise<T>): Promise<T>
}

/** One picture of a business at a time, and no long queue of them: each is held in memory. */
function createTurns({ each, all }: { each: number; all: number }): Turns {
  const businesses = createQueues()
  const waiting = new Map<string, number>()
  let total = 0
  return {
    async take(businessId, work) {
      const own = waiting.get(businessId) ?? 0
      if (own >= each || total >= all) {
        const text = 'Other pictures are being uploaded just now: send this one in a few seconds.'
        throw refuse('rate_limited', text, { retryAfter: 3 })
      }
      waiting.set(businessId, own + 1)
      total++
      try {
        return await businesses.take(businessId, work)
      } finally {
        total--
        const remaining = (waiting.get(businessId) ?? 1) - 1
        if (remaining > 0) waiting.set(businessId, remaining)
        else waiting.delete(businessId)
      }
    },
  }
}
