/** The operations that show and change how a business looks. */
import {
  type Brand,
  type BrandChange,
  findBrand,
  fonts,
  lockableParts,
  type StoredBrand,
  updateBrand,
} from '../accounts/businesses/brand.ts'
import { type MailLanguage, mailLanguageAmong } from '../accounts/businesses/mail-language.ts'
import { senderProfileOf } from '../accounts/businesses/sender-profile.ts'
import { contrastOf, mendedColour, minimumContrast } from '../accounts/settings/contrast.ts'
import { brandLimits } from '../config/brand.ts'
import { isRefusal, orRefusal, orThrow, type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import { type BusinessContext, operation } from '../core/operation.ts'
import { ownWordNames, recipientLanguages } from '../core/recipient-words/languages.ts'
import { checkTakesDataOut } from '../core/taking-out.ts'
import { recordAudit } from '../events/audit.ts'
import { noSuchImage } from '../images/image.ts'
import type { Lazy } from '../lib/concurrency/lazily.ts'
import type { Db } from '../lib/db/types.ts'
import type { Outbound } from '../lib/http-client/outbound-fetch.ts'
import { enqueue } from '../lib/jobs/job.ts'
import { type Static, Type } from '../lib/schema/schema.ts'
import { hasUnseen } from '../lib/text/visible-text.ts'
import type { Block } from '../templates/blocks/block.ts'
import { type Network, networks } from '../templates/blocks/types.ts'
import type { Templates } from '../templates/compile.ts'
import { restyleJob, templatesOfBlocks } from '../templates/restyle.ts'

export interface BrandParts {
  templates: Templates
  outbound: Lazy<Outbound>
  appUrl: string
  /** The public address under which pictures are served, without a trailing slash. */
  baseUrl: string
  /** Called after a change, so that this process drops what it cached of the business. */
  changed(id: Id<'business'>): void
}

const {
  colours,
  radius,
  width,
  toneLength,
  linkLength,
  altLength,
  parts,
  socialLinks,
  wordLength,
} = brandLimits
const colourFields = {
  name: Type.String({ pattern: '^[a-z]{1,20}$' }),
  value: Type.String({ pattern: '^#[0-9a-fA-F]{6}$' }),
}
const links = Type.Array(
  Type.Object(
    {
      network: Type.Enum(Object.keys(networks) as Network[]),
      url: Type.String({ minLength: 1, maxLength: linkLength }),
    },
    { additionalProperties: false },
  ),
  { maxItems: socialLinks },
)
const blocks = (description: string) =>
  Type.Union([
    Type.Array(Type.Unsafe<object>({ type: 'object' }), { maxItems: parts, description }),
    Type.Null(),
  ])
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) =>
  Type.Union([type, Type.Null()])
const pixels = Type.Integer({ minimum: radius.least, maximum: radius.most })

const input = {
  logo: Type.Optional(
    orNull(
      Type.Object(
        {
          image_id: Type.String(),
          dark_image_id: Type.Optional(Type.String()),
          alt: Type.Optional(Type.String({ minLength: 1, maxLength: altLength })),
          link: Type.Optional(Type.String({ minLength: 1, maxLength: linkLength })),
          width: Type.Optional(Type.Integer({ minimum: width.least, maximum: width.most })),
        },
        { additionalProperties: false, description: 'Pictures of image.upload.' },
      ),
    ),
  ),
  colours: Type.Optional(
    Type.Array(Type.Object(colourFields, { additionalProperties: false }), {
      maxItems: colours,
      description: 'accent, text, background, card or names of your own.',
    }),
  ),
  font: Type.Optional(orNull(Type.Enum(fonts))),
  radius: Type.Optional(orNull(pixels)),
  header: Type.Optional(blocks('Above each mail of blocks.')),
  footer: Type.Optional(blocks('Below each mail of blocks.')),
  social: Type.Optional(links),
  tone: Type.Optional(orNull(Type.String({ maxLength: toneLength }))),
  words: Type.Optional(
    Type.Array(
      Type.Object(
        {
          language: Type.Enum(recipientLanguages),
          name: Type.Enum(ownWordNames),
          text: Type.String({ maxLength: wordLength }),
        },
        { additionalProperties: false },
      ),
      {
        maxItems: recipientLanguages.length * ownWordNames.length,
        description: 'What recipients read in place of the service’s words.',
      },
    ),
  ),
  locked: Type.Optional(
    Type.Array(Type.Enum(lockableParts), {
      maxItems: lockableParts.length,
      description: 'What no mail may have of its own.',
    }),
  ),
}
const whole = Type.Object(input)
type Input = Static<typeof whole>

const output = {
  business_id: Type.String(),
  name: Type.String(),
  logo: orNull(
    Type.Object({
      image_id: Type.String(),
      url: Type.String(),
      dark_image_id: Type.Optional(Type.String()),
      dark_url: Type.Optional(Type.String()),
      alt: Type.Optional(Type.String()),
      link: Type.Optional(Type.String()),
      width: Type.Integer(),
    }),
  ),
  colours: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  contrast: Type.Array(
    Type.Object({
      name: Type.String(),
      ground: Type.String(),
      ratio: Type.Number(),
      enough: Type.Boolean(),
      mended: Type.Optional(Type.String()),
    }),
  ),
  font: Type.Enum(fonts),
  radius: Type.Integer(),
  header: Type.Array(Type.Unsafe<object>({ type: 'object' })),
  footer: Type.Array(Type.Unsafe<object>({ type: 'object' })),
  social: Type.Array(Type.Object({ network: Type.String(), url: Type.String() })),
  tone: orNull(Type.String()),
  words: Type.Array(
    Type.Object({
      language: Type.Enum(recipientLanguages),
      name: Type.Enum(ownWordNames),
      text: Type.String(),
    }),
  ),
  locked: Type.Array(Type.Enum(lockableParts)),
  settings_url: Type.String(),
}
const shownBrand = Type.Object(output)

export function brandGet(parts: Pick<BrandParts, 'appUrl' | 'baseUrl'>) {
  return operation({
    name: 'brand.get',
    title: 'See the brand of a business',
    area: 'business',
    summary:
      'Logo, colours with their contrast, font, header, footer, social addresses, tone, and what an owner has locked.',
    reach: 'business',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'GET /v1/brand',
    input: {},
    output: shownBrand,
    run: ({ db, business }) => showBrand(db, business.id, parts),
  })
}

export function brandSet(parts: BrandParts) {
  return operation({
    name: 'brand.set',
    title: 'Change the brand of a business',
    area: 'business',
    summary:
      'Change the logo, colours, font, header or footer; the rest stays, null removes. Drafts, forms and pages have it at once, templates within minutes; what is ordered stays. Sends nothing.',
    reach: 'business',
    scope: 'provisioning:write',
    role: 'owner',
    tier: 'free',
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    rest: 'PATCH /v1/brand',
    input: {
      ...input,
      dry_run: Type.Optional(Type.Boolean({ description: 'Only show, with a small mail.' })),
    },
    output: Type.Object({
      ...output,
      templates: Type.Optional(Type.Integer()),
      preview: Type.Optional(Type.String()),
    }),

    async run(context, { dry_run: dryRun = false, ...call }) {
      const { db, business, now, origin, write } = context
      const fields = Object.keys(input).filter((field) => Object.hasOwn(call, field))
      const isPart = ([field]: [string, unknown]) => fields.includes(field)
      const change: Input = Object.fromEntries(Object.entries(call).filter(isPart))
      if (fields.length === 0) {
        const text = `Name at least one part to change: ${Object.keys(input).join(', ')}.`
        throw refuse('invalid_request', text, {
          field: 'colours',
          data: { reason: 'nothing_changed' },
        })
      }
      checkColours(change)
      checkTexts(change)
      await checkTellsNobody(context, change)
      const stored = asStored(change)
      const brand = await findBrand(db, business.id, stored)
      if (!brand) throw noBusiness()
      checkPictures(change, brand)
      await checkBlocks(context, parts, { change, brand })
      if (dryRun) {
        const preview = await previewOf(context, parts, brand)
        return { ...shownAs(brand, business.id, parts), preview }
      }
      await write(async (tx) => {
        await updateBrand(tx, business.id, withFiles(stored, brand), now)
        const subject = formatId('business', business.id)
        const details = {
          settings: fields.join(' '),
          ...(change.locked && { locked: change.locked.join(' ') }),
        }
        const entry = { businessId: business.id, action: 'brand.set', subject, details, origin }
        await recordAudit(tx, [entry], now)
        await enqueue(tx, [restyleJob(business.id)], now)
        return {}
      })
      parts.changed(business.id)
      const templates = await templatesOfBlocks(db, business.id)
      return { ...shownAs(brand, business.id, parts), templates: templates.length }
    },
  })
}

/** The accent colour has its own column, which `business.save` changes too. */
function asStored({ colours, ...change }: Input): BrandChange {
  if (!colours) return { stored: change, accent: undefined }
  const lower = colours.map(({ name, value }) => ({ name, value: value.toLowerCase() }))
  const others = lower.filter(({ name }) => name !== 'accent')
  const accent = lower.find(({ name }) => name === 'accent')?.value ?? null
  return { stored: { ...change, colours: others }, accent }
}

function checkColours({ colours = [] }: Input): void {
  const names = colours.map(({ name }) => name)
  const doubled = names.findIndex((name, n) => names.indexOf(name) !== n)
  if (doubled < 0) return
  throw no(
    `colours[${doubled}].name`,
    `repeats ${names[doubled]}: use each colour name only once.`,
    { reason: 'name_taken' },
  )
}

function checkTexts({ tone, logo, social = [], words = [] }: Input): void {
  checkWords(words)
  if (typeof tone === 'string' && (tone !== tone.trim() || hasUnseen(tone))) {
    throw no('tone', 'must be one line of text without spaces around it.', { reason: 'one_line' })
  }
  if (logo?.link !== undefined) checkAddress(logo.link, 'logo.link')
  for (const [n, { url }] of social.entries()) checkAddress(url, `social[${n}].url`)
}

/** What stands in every mail may tell no other host about its recipients, unless a person allows it. */
async function checkTellsNobody(context: BusinessContext, change: Input): Promise<void> {
  if (!context.principal.keepsDataIn) return
  const { contactHostsIn, textsIn } = await import('../templates/personal-hosts.ts')
  const [host] = textsIn(change).flatMap(contactHostsIn)
  if (host === undefined) return
  const action = `A link or picture that tells ${host} about each recipient`
  checkTakesDataOut(context, { action, page: '/brand' })
}

function checkWords(words: NonNullable<Input['words']>): void {
  const keys = words.map(({ language, name }) => `${language} ${name}`)
  for (const [n, { name, text }] of words.entries()) {
    if (keys.indexOf(keys[n] ?? '') !== n) {
      throw no(`words[${n}].name`, `is ${name} in this language a second time.`, {
        reason: 'name_taken',
      })
    }
    const isEmpty = text === '' && name !== 'sent_with'
    if (isEmpty || text !== text.trim() || hasUnseen(text)) {
      throw no(`words[${n}].text`, 'must be one line of text without spaces around it.', {
        reason: 'one_line',
      })
    }
  }
}

function checkAddress(url: string, field: string): void {
  const read = URL.canParse(url) ? new URL(url) : undefined
  if (read?.protocol === 'https:' || read?.protocol === 'http:') return
  throw no(field, 'must be an address such as https://example.com.', { reason: 'no_web_address' })
}

function withFiles({ stored, accent }: BrandChange, { logo }: Brand): BrandChange {
  if (!('logo' in stored) || !logo) return { stored, accent }
  const { darkFile, ...others } = logo
  return { stored: { ...stored, logo: { ...others, dark_file: darkFile } }, accent }
}

/** A picture that is not there has no file. */
function checkPictures({ logo }: Input, brand: Brand): void {
  if (!logo) return
  const { dark_image_id: darkImage } = logo
  const lacksDark = darkImage !== undefined && brand.logo && brand.logo.darkFile === undefined
  if (brand.logo && !lacksDark) return
  const [field, id] = lacksDark ? ['dark_image_id', darkImage] : ['image_id', logo.image_id]
  const { code, message, details } = noSuchImage(id)
  throw refuse(code, message, { ...details, field: `logo.${field}` })
}

/** The blocks are compiled here as they will be in each mail, which a fault in them would stop. */
async function checkBlocks(
  { business }: Pick<BusinessContext, 'business'>,
  { templates }: Pick<BrandParts, 'templates'>,
  { change, brand }: { change: Input; brand: Brand },
): Promise<void> {
  if (!change.header && !change.footer) return
  const { readBlocks } = await import('../templates/blocks/read.ts')
  for (const field of ['header', 'footer'] as const) {
    const blocks = change[field] ?? []
    if (JSON.stringify(blocks).length > brandLimits.blocksLength) {
      throw no(field, `must be at most ${brandLimits.blocksLength} characters of JSON.`, {
        reason: 'blocks_too_long',
      })
    }
    if (blocks.length === 0) continue
    const read = await orRefusal(() => readBlocks(blocks))
    if (isRefusal(read)) throw inPart(read, field)
    const own = read.findIndex(({ type }) => type === 'mjml' || type === 'view_link')
    if (own >= 0) {
      const rule = `is ${read[own]?.type}, which only a mail itself may have.`
      throw no(`${field}[${own}].type`, rule)
    }
    // Who sees a block is recorded with the mail that has it.
    if (JSON.stringify(read).includes('"show_if":')) {
      throw no(field, 'cannot have a block with show_if: every email shows all of it.', {
        reason: 'for_some_in_brand',
      })
    }
    const look = { language: 'en', colour: null, brand: { ...brand, header: [], footer: [] } }
    const compiled = await templates.check(business.id, { subject: 'Brand', blocks: read }, look)
    if (isRefusal(compiled)) throw inPart(compiled, field)
  }
}

/** A fault of blocks, at the part of the brand in which they are. */
function inPart({ code, message, details }: Refusal, part: string): Refusal {
  const { field = 'blocks' } = details
  const renamed = field.replace(/^blocks/, part)
  return refuse(code, message.replace(field, renamed), { ...details, field: renamed })
}

/** A small mail with the header and the footer, as HTML. */
async function previewOf(
  { db, business }: Pick<BusinessContext, 'db' | 'business'>,
  { templates }: Pick<BrandParts, 'templates'>,
  brand: Brand,
): Promise<string> {
  const profile = await senderProfileOf(db, business.id)
  if (!profile) throw noBusiness()
  const { language, name, postalAddress, timeZone } = profile
  const colour = brand.colours.find((entry) => entry.name === 'accent')?.value ?? null
  const source = { subject: brand.name, blocks: sampleMails[mailLanguageAmong([language])] }
  const look = { language, colour, brand }
  const compiled = orThrow(await templates.check(business.id, source, look))
  const variables = { business: { name, postal_address: postalAddress, time_zone: timeZone } }
  const mail = orThrow(await templates.preview({ businessId: business.id, compiled }, variables))
  return mail.html ?? ''
}

const sample = (heading: string, text: string, button: string): Block[] => [
  { type: 'heading', text: heading },
  { type: 'text', text },
  { type: 'button', text: button, url: 'https://example.com' },
]
const sampleMails: Readonly<Record<MailLanguage, Block[]>> = {
  en: sample(
    'What’s new',
    'This is how text with [a link](https://example.com) looks in your emails.',
    'Read more',
  ),
  de: sample(
    'Das ist neu',
    'So sehen Texte in einer E-Mail aus, mit [einem Link](https://example.com).',
    'Mehr lesen',
  ),
  fr: sample(
    'Quoi de neuf\u00a0?',
    'Voici à quoi ressemble le texte d’un e-mail, avec [un lien](https://example.com).',
    'Lire la suite',
  ),
}

async function showBrand(
  db: Db,
  businessId: Id<'business'>,
  parts: Pick<BrandParts, 'appUrl' | 'baseUrl'>,
): Promise<Static<typeof shownBrand>> {
  const brand = await findBrand(db, businessId)
  if (!brand) throw noBusiness()
  return shownAs(brand, businessId, parts)
}

function shownAs(
  brand: Brand,
  businessId: Id<'business'>,
  { appUrl, baseUrl }: Pick<BrandParts, 'appUrl' | 'baseUrl'>,
): Static<typeof shownBrand> {
  const { logo } = brand
  const urlOf = (file: string) => `${baseUrl}/images/${file}`
  return {
    business_id: formatId('business', businessId),
    name: brand.name,
    logo: logo
      ? {
          image_id: logo.image_id,
          url: urlOf(logo.file),
          ...(logo.dark_image_id !== undefined &&
            logo.darkFile !== undefined && {
              dark_image_id: logo.dark_image_id,
              dark_url: urlOf(logo.darkFile),
            }),
          ...(logo.alt !== undefined && { alt: logo.alt }),
          ...(logo.link !== undefined && { link: logo.link }),
          width: logo.width ?? brandLimits.width.usual,
        }
      : null,
    colours: brand.colours,
    contrast: contrastIn(brand),
    font: brand.font ?? 'system',
    radius: brand.radius ?? brandLimits.radius.usual,
    header: brand.header ?? [],
    footer: brand.footer ?? [],
    social: brand.social ?? [],
    tone: brand.tone ?? null,
    words: brand.words ?? [],
    locked: brand.locked,
    settings_url: `${appUrl}/b/${formatId('business', businessId)}/brand`,
  }
}

/** Each colour of words on what is behind them, and the nearest one that can be read there. */
export function contrastIn({
  colours,
}: Pick<StoredBrand, 'colours'>): Static<typeof shownBrand>['contrast'] {
  const ground = colours?.find(({ name }) => name === 'card')?.value ?? '#ffffff'
  return (colours ?? [])
    .filter(({ name }) => name !== 'background' && name !== 'card')
    .map(({ name, value }) => {
      const ratio = contrastOf(value, ground)
      const enough = ratio >= minimumContrast
      const shown = Math.floor(ratio * 10) / 10
      return {
        name,
        ground,
        ratio: shown,
        enough,
        ...(!enough && { mended: mendedColour(value, ground) }),
      }
    })
}

function noBusiness(): Refusal {
  return refuse('not_found', 'There is no such business.')
}

function no(
  field: string,
  rule: string,
  data: Record<string, unknown> = { reason: 'wrong_form' },
): Refusal {
  return refuse('invalid_request', `${field} ${rule}`, { field, data })
}
