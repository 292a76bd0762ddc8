import { createHash } from 'node:crypto'
import { imageLimits } from '../config/images.ts'
import { isRefusal, type Refusal, refuse } from '../core/errors.ts'
import { type Id, newId } from '../core/ids.ts'
import { type BusinessContext, operation } from '../core/operation.ts'
import { createQueues } from '../lib/concurrency/one-by-one.ts'
import { Type } from '../lib/schema/schema.ts'
import { isSingleLine, singleLine } from '../lib/text/single-line.ts'
import type { ImageFacility } from './facility.ts'
import { type Image, imageFields, newFileName, pathOf, viewOf } from './image.ts'
import { type PictureSource, readPicture } from './picture.ts'
import { findSame, insertImage, usedBy } from './queries.ts'
import { formatOf, imageTypes } from './resizing/formats.ts'
import type { Resized } from './resizing/resize.ts'
import { createTurns } from './turns.ts'

export function imageUpload(facility: ImageFacility) {
  const turns = createTurns(imageLimits.waiting)
  return operation({
    name: 'image.upload',
    title: 'Upload a picture',
    unlisted: true,
    summary:
      'Store a PNG, JPEG, GIF or WebP for mail, and get its public address for a block or HTML. It is made fit for mail: at most 1,200 pixels wide, and without what the camera wrote into it.',
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
          return refuse('invalid_request', `${field} takes one line of text.`, { field })
        }
      }
      const given = { file: context.file, data, url }
      const image = await turns.take(context.business.id, () =>
        take(facility, context, { given, words }),
      )
      return isRefusal(image) ? image : viewOf(facility.baseUrl, image)
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
  { given, words }: Upload,
): Promise<Image | Refusal> {
  const picture = await readPicture(given, outbound)
  if (isRefusal(picture)) return picture
  const sha256 = createHash('sha256').update(picture).digest()
  const same = await findSame(db, business.id, sha256)
  if (same) return same
  const made = await fitForMail(picture)
  if (isRefusal(made)) return made
  const { data, ...about } = made
  const full = await refuseFull(db, business.id, data.length)
  if (full) return full
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
  const stored = await write(async (tx) => {
    await insertImage(tx, business.id, { ...image, sha256 })
    return {}
  })
  if (isRefusal(stored)) {
    await files.remove(path)
    return stored
  }
  const kept = await findSame(db, business.id, sha256)
  // The same picture came by another call meanwhile, or this call is the repetition of another.
  if (kept?.file !== image.file) await files.remove(path)
  return kept ?? refuse('conflict', 'The picture was deleted meanwhile: upload it again.')
}

/** Decoding takes a lot of memory, so pictures wait for each other. */
const resizing = createQueues()

async function fitForMail(picture: Buffer) {
  const format = formatOf(picture)
  if (format === undefined) {
    return refuse(
      'unsupported_media_type',
      'That is no PNG, JPEG, GIF or WebP. SVG is not taken, because it may hold programs, and few mailboxes show it.',
      { field: 'data' },
    )
  }
  const { resize } = await import('./resizing/resize.ts')
  const made = await resizing.take('all', () => resize(picture, format))
  if ('fault' in made) return refuseFault(made.fault)
  if (made.data.length > imageLimits.storedBytes) {
    const text = `The picture takes ${made.data.length} bytes when it is fit for mail, and ${imageLimits.storedBytes} are the most: send one with fewer colours or frames.`
    return refuse('too_large', text, { field: 'data' })
  }
  return made
}

function refuseFault(fault: Extract<Resized, { fault: unknown }>['fault']): Refusal {
  const field = { field: 'data' }
  switch (fault) {
    case 'unreadable':
      return refuse('invalid_request', 'The picture is broken: save it anew, and send that.', field)
    case 'pixels': {
      const text = `The picture has more than ${imageLimits.pixels} pixels in all its frames: send a smaller one.`
      return refuse('too_large', text, field)
    }
    case 'frames': {
      const text = `The picture has more than ${imageLimits.frames} frames: send fewer.`
      return refuse('too_large', text, field)
    }
    case 'time':
      return refuse('too_large', 'The picture takes too long to read: send a smaller one.', field)
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
        ? `The pictures of a business take at most ${bytesPerBusiness} bytes: delete some first.`
        : undefined
  if (text === undefined) return undefined
  return refuse('conflict', text, { fix: { tool: 'image.list', arguments: {} } })
}
