/** How a business looks: its logo, colours and font, and the parts that its mails share. */
import { type Id, liveOf, parseId, twinOf } from '../../core/ids.ts'
import type { OwnWord } from '../../core/recipient-words/languages.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'

/** Fonts that mail programs have, each with what stands in for it. */
export const fontStacks = {
  system: "-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif",
  arial: 'Arial, Helvetica, sans-serif',
  verdana: 'Verdana, Geneva, sans-serif',
  trebuchet: "'Trebuchet MS', Helvetica, sans-serif",
  georgia: "Georgia, 'Times New Roman', serif",
  times: "'Times New Roman', Times, serif",
  courier: "'Courier New', Courier, monospace",
} as const
export type Font = keyof typeof fontStacks
export const fonts = Object.keys(fontStacks) as Font[]

/** What an owner can lock, so that a mail has no other than the brand's. */
export const lockableParts = ['footer', 'logo', 'colours'] as const
export type LockablePart = (typeof lockableParts)[number]

export interface BrandColour {
  /** accent, text, background, card, or one of the business's own. */
  name: string
  /** `#rrggbb` */
  value: string
}

/** As it is stored. What is absent is not set. */
export interface StoredBrand {
  logo?: {
    image_id: string
    dark_image_id?: string
    alt?: string
    link?: string
    width?: number
    /** The pictures' files, for pages. */
    file?: string
    dark_file?: string
  }
  /** All but the accent colour. */
  colours?: BrandColour[]
  font?: Font
  /** The radius of corners, in pixels. */
  radius?: number
  /** Blocks. */
  header?: object[]
  footer?: object[]
  social?: { network: string; url: string }[]
  /** How its texts sound, in a sentence. */
  tone?: string
  /** What recipients read in place of the service's words. */
  words?: OwnWord[]
  locked?: LockablePart[]
}

export interface Brand extends Omit<StoredBrand, 'logo'> {
  name: string
  /** With the names of the pictures' files, where they are still there. */
  logo?: NonNullable<StoredBrand['logo']> & { file: string; darkFile?: string }
  /** The accent colour first. */
  colours: BrandColour[]
  locked: LockablePart[]
}

/** The brand as pages for recipients have it; null for what is not set. */
export interface PageLook {
  font: Font | null
  radius: number | null
  /** The names of the pictures' files. */
  logo: string | null
  darkLogo: string | null
  /** Its own words for recipients; absent where nobody looked for them. */
  words?: OwnWord[] | null
}

interface BrandRow {
  name: string
  colour: string | null
  brand: StoredBrand
}

export async function findBrand(
  db: Db,
  id: Id<'business'>,
  /** What it would be after a change, in which null removes a part. */
  change: BrandChange = { stored: {}, accent: undefined },
): Promise<Brand | undefined> {
  const row = await db.maybe<BrandRow>(
    sql`select name, colour, brand from businesses where id = ${id}`,
  )
  if (!row) return undefined
  const whole = Object.entries({ ...row.brand, ...change.stored })
  const brand: StoredBrand = Object.fromEntries(whole.filter(([, value]) => value !== null))
  const { logo, colours = [], locked = [], ...others } = brand
  const colour = change.accent === undefined ? row.colour : change.accent
  const accent = colour === null ? [] : [{ name: 'accent', value: colour }]
  const files = logo && (await filesOfLogo(db, id, logo))
  return {
    ...others,
    name: row.name,
    colours: [...accent, ...colours],
    locked,
    ...(logo && files && { logo: { ...logo, ...files } }),
  }
}

export interface BrandChange {
  stored: object
  /** Undefined if it stays. */
  accent: string | null | undefined
}

async function filesOfLogo(
  db: Db,
  businessId: Id<'business'>,
  logo: NonNullable<StoredBrand['logo']>,
): Promise<{ file: string; darkFile?: string } | undefined> {
  const [light, dark] = [logo.image_id, logo.dark_image_id ?? ''].map((id) => parseId('image', id))
  const pictures = await db.all<{ id: Id<'image'>; file: string }>(sql`
    select id, file || '.' || kind as file from images
    where business_id = ${liveOf(businessId)} and id = any(${[light, dark].filter((id) => id !== undefined)}::uuid[])
      and deleted_at is null
  `)
  const fileOf = (id: Id<'image'> | undefined) =>
    pictures.find((picture) => picture.id === id)?.file
  const [file, darkFile] = [fileOf(light), fileOf(dark)]
  return file === undefined ? undefined : { file, ...(darkFile !== undefined && { darkFile }) }
}

/** What the change leaves out stays; what is null is removed. */
export async function updateBrand(
  tx: Tx,
  id: Id<'business'>,
  { stored, accent }: BrandChange,
  now: Date,
): Promise<number> {
  const updating = (each: Id<'business'>) => sql`
    update businesses set brand = jsonb_strip_nulls(brand || ${JSON.stringify(stored)}::jsonb),
      colour = case when ${accent !== undefined} then ${accent ?? null} else colour end,
      settings_version = settings_version + 1, updated_at = ${now}
    where id = ${each}
  `
  const changed = await tx.run(updating(id))
  await tx.run(updating(twinOf(id)))
  return changed
}
