/** Pictures that a business uploads for its mail: what is stored, and what callers see. */

import { randomBytes } from 'node:crypto'
import { type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import { type Static, Type } from '../lib/schema/schema.ts'

/** The kinds that every mail program shows. A picture of another kind becomes one of these. */
export const imageKinds = ['png', 'jpeg', 'gif'] as const
export type ImageKind = (typeof imageKinds)[number]

export interface Image {
  id: Id<'image'>
  /** The name of its file, without the folder. */
  file: string
  kind: ImageKind
  /** What its owner calls it. */
  name: string
  /** What it shows, for blocks that use it. */
  alt: string | null
  width: number
  height: number
  bytes: number
  createdAt: Date
}

const nameLength = 32

export const newFileName = (): string => randomBytes(nameLength / 2).toString('hex')

/** Where the file of a picture is stored. Serving it needs nothing but this path. */
export const pathOf = (file: string, kind: ImageKind): string => `images/${file}-${kind}`

export const addressOf = (baseUrl: string, { file, kind }: Pick<Image, 'file' | 'kind'>): string =>
  `${baseUrl}/images/${file}.${kind}`

/** Reads the last part of a public address; undefined if it cannot be that of a picture. */
export function readAddress(part: string): { file: string; kind: ImageKind } | undefined {
  const [file = '', ending, more] = part.split('.', 3)
  const kind = imageKinds.find((imageKind) => imageKind === ending)
  if (kind === undefined || more !== undefined || file.length !== nameLength) return undefined
  return file.split('').every((text) => hexDigits.includes(text)) ? { file, kind } : undefined
}

const hexDigits = '0123456789abcdef'

export const imageIdInput = Type.String({ pattern: '^img_[0-9a-hjkmnp-tv-z]{26}$' })

export const imageFields = {
  image_id: Type.String(),
  url: Type.String(),
  file_name: Type.String(),
  alt: Type.Optional(Type.String()),
  type: Type.Enum(['image/png', 'image/jpeg', 'image/gif']),
  width: Type.Integer(),
  height: Type.Integer(),
  bytes: Type.Integer(),
  created_at: Type.String({ description: 'ISO 8601, UTC.' }),
}

const view = Type.Object(imageFields)

export function viewOf(baseUrl: string, image: Image): Static<typeof view> {
  return {
    image_id: formatId('image', image.id),
    url: addressOf(baseUrl, image),
    file_name: image.name,
    ...(image.alt !== null && { alt: image.alt }),
    type: `image/${image.kind}`,
    width: image.width,
    height: image.height,
    bytes: image.bytes,
    created_at: image.createdAt.toISOString(),
  }
}

/** Another business's picture gets the same refusal as one that never existed. */
export function noSuchImage(id: string): Refusal {
  return refuse('not_found', `This business has no picture ${id}.`, {
    field: 'image_id',
    fix: { tool: 'image.list', arguments: {} },
  })
}
