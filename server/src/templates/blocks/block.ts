/**
 * The blocks that a mail can be written in, as a list of JSON objects. The service turns them into
 * MJML (`thread/block-layout.ts`). `thread/foreign/convert.ts` turns the HTML or MJML of other
 * programs into blocks.
 */
import type { Brand } from '../../accounts/businesses/brand.ts'
import type { Filter } from '../../contacts/filters/filter.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import { type Network, networks } from './types.ts'

export const blockLimits = {
  /** The most blocks of a mail, those within columns included. */
  blocks: 100,
  /** The most characters of all blocks as JSON. */
  length: 256 * 1024,
  headingLength: 300,
  textLength: 10_000,
  items: 50,
  itemLength: 1_000,
  buttonLength: 100,
  urlLength: 2_000,
  altLength: 500,
  mjmlLength: 64 * 1024,
  columns: { least: 2, most: 3 },
  /** Pixels. The content of a mail is 600 wide. */
  imageWidth: { least: 16, most: 600 },
  spacerHeight: { least: 4, most: 100, usual: 24 },
  logoWidth: { least: 16, most: 300, usual: 140 },
  socialLinks: 10,
  /** Characters of a product's name, and of an entry of a receipt. */
  nameLength: 200,
  /** Characters of a price or a quantity. */
  priceLength: 40,
  /** Characters of a discount code. */
  codeLength: 60,
  receiptRows: 100,
  receiptTotals: 10,
  /** Items of a feed. */
  feedItems: 20,
  /** Different filters of a mail's blocks. */
  filters: 10,
} as const

const kind = <const T extends string>(type: T) => Type.Enum([type])
const required = (length: number) => Type.String({ minLength: 1, maxLength: length })
const aligned = Type.Optional(Type.Enum(['left', 'center', 'right']))
const colour = Type.Optional(
  Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'A colour such as #1d4ed8.' }),
)

const background = Type.Optional(
  Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'A colour such as #eef2ff.' }),
)
/** Only contacts who fit it see the block. `read.ts` reads it strictly. */
const condition = { show_if: Type.Optional(Type.Unsafe<Filter>({ type: 'object' })) }
/** What is behind a block, and the space above and below its content. */
const frame = {
  background,
  padding: Type.Optional(Type.Enum(['small', 'medium', 'large'])),
  ...condition,
}

const listName = Type.String({
  pattern: '^[A-Za-z_][A-Za-z0-9_]{0,39}([.][A-Za-z_][A-Za-z0-9_]{0,39}){0,5}$',
  description: 'A list, such as order.items.',
})

const { imageWidth, logoWidth, spacerHeight } = blockLimits
const url = required(blockLimits.urlLength)
const price = required(blockLimits.priceLength)
const description = {
  src: url,
  alt: Type.Optional(required(blockLimits.altLength)),
  decorative: Type.Optional(Type.Boolean()),
  url: Type.Optional(url),
}

const leaves = {
  heading: Type.Object(
    {
      type: kind('heading'),
      text: required(blockLimits.headingLength),
      level: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
      align: aligned,
      colour,
      ...frame,
    },
    { additionalProperties: false },
  ),
  text: Type.Object(
    {
      type: kind('text'),
      text: required(blockLimits.textLength),
      align: aligned,
      colour,
      ...frame,
    },
    { additionalProperties: false },
  ),
  image: Type.Object(
    {
      type: kind('image'),
      ...description,
      width: Type.Optional(Type.Integer({ minimum: imageWidth.least, maximum: imageWidth.most })),
      align: aligned,
      ...frame,
    },
    { additionalProperties: false },
  ),
  button: Type.Object(
    {
      type: kind('button'),
      text: required(blockLimits.buttonLength),
      url,
      align: aligned,
      colour,
      ...frame,
    },
    { additionalProperties: false },
  ),
  list: Type.Object(
    {
      type: kind('list'),
      items: Type.Array(required(blockLimits.itemLength), {
        minItems: 1,
        maxItems: blockLimits.items,
      }),
      ordered: Type.Optional(Type.Boolean()),
      ...frame,
    },
    { additionalProperties: false },
  ),
  quote: Type.Object(
    {
      type: kind('quote'),
      text: required(blockLimits.textLength),
      by: Type.Optional(required(blockLimits.headingLength)),
      ...frame,
    },
    { additionalProperties: false },
  ),
  divider: Type.Object({ type: kind('divider'), ...frame }, { additionalProperties: false }),
  spacer: Type.Object(
    {
      type: kind('spacer'),
      height: Type.Optional(
        Type.Integer({ minimum: spacerHeight.least, maximum: spacerHeight.most }),
      ),
      background,
      ...condition,
    },
    { additionalProperties: false },
  ),
  view_link: Type.Object(
    {
      type: kind('view_link'),
      text: Type.Optional(required(blockLimits.buttonLength)),
      align: aligned,
      ...condition,
    },
    { additionalProperties: false },
  ),
  mjml: Type.Object(
    { type: kind('mjml'), mjml: required(blockLimits.mjmlLength), ...condition },
    { additionalProperties: false },
  ),
  logo: Type.Object(
    {
      type: kind('logo'),
      /** The brand's logo where it is left out. */
      src: Type.Optional(url),
      /** The name that the logo shows. */
      alt: Type.Optional(required(blockLimits.altLength)),
      url: Type.Optional(url),
      width: Type.Optional(Type.Integer({ minimum: logoWidth.least, maximum: logoWidth.most })),
      align: aligned,
      ...frame,
    },
    { additionalProperties: false },
  ),
  social: Type.Object(
    {
      type: kind('social'),
      /** The brand's addresses where they are left out. */
      links: Type.Optional(
        Type.Array(
          Type.Object(
            { network: Type.Enum(Object.keys(networks) as Network[]), url },
            { additionalProperties: false },
          ),
          { minItems: 1, maxItems: blockLimits.socialLinks },
        ),
      ),
      align: aligned,
      ...frame,
    },
    { additionalProperties: false },
  ),
  product: Type.Object(
    {
      type: kind('product'),
      src: url,
      /** Where it is left out, the name is the words of a linked image, and another only decorates. */
      alt: Type.Optional(required(blockLimits.altLength)),
      name: required(blockLimits.nameLength),
      price: Type.Optional(price),
      text: Type.Optional(required(blockLimits.itemLength)),
      url: Type.Optional(url),
      /** A list among the variables: the product is repeated for each entry, which is `item` in it. */
      each: Type.Optional(listName),
      /** The words of a button that leads to `url`. */
      button: Type.Optional(required(blockLimits.buttonLength)),
      width: Type.Optional(Type.Integer({ minimum: imageWidth.least, maximum: imageWidth.most })),
      align: aligned,
      ...frame,
    },
    { additionalProperties: false },
  ),
  code: Type.Object(
    {
      type: kind('code'),
      code: required(blockLimits.codeLength),
      /** What is said above it. */
      text: Type.Optional(required(blockLimits.headingLength)),
      ...frame,
    },
    { additionalProperties: false },
  ),
  receipt: Type.Object(
    {
      type: kind('receipt'),
      /** A list among the variables: the rows are repeated for each entry, which is `item` in them. */
      each: Type.Optional(listName),
      rows: Type.Array(
        Type.Object(
          { name: required(blockLimits.nameLength), quantity: Type.Optional(price), price },
          { additionalProperties: false },
        ),
        { minItems: 1, maxItems: blockLimits.receiptRows },
      ),
      totals: Type.Optional(
        Type.Array(
          Type.Object(
            { name: required(blockLimits.nameLength), price },
            { additionalProperties: false },
          ),
          { maxItems: blockLimits.receiptTotals },
        ),
      ),
      ...frame,
    },
    { additionalProperties: false },
  ),
  footer: Type.Object(
    {
      type: kind('footer'),
      /** Stands above the legal lines. */
      text: Type.Optional(required(blockLimits.itemLength)),
      align: aligned,
      ...frame,
    },
    { additionalProperties: false },
  ),
}

export type Leaf = {
  [Kind in keyof typeof leaves]: Static<(typeof leaves)[Kind]>
}[keyof typeof leaves]

export interface Frame {
  /** `#rrggbb` */
  background?: string
  padding?: 'small' | 'medium' | 'large'
  show_if?: Filter
}

/** Blocks side by side, which stand one below the other on a phone. */
export interface Columns extends Frame {
  type: 'columns'
  columns: Leaf[][]
}

const imageText = Type.Object(
  {
    type: kind('image_text'),
    ...description,
    text: required(blockLimits.textLength),
    /** The side of the image, which by default is where the language begins. */
    side: Type.Optional(Type.Enum(['left', 'right'])),
    ...frame,
  },
  { additionalProperties: false },
)
export type ImageText = Static<typeof imageText>

const feed = Type.Object(
  {
    type: kind('feed'),
    /** The service fills them in: text of strangers, in which nothing is markup and nothing Liquid. */
    items: Type.Optional(
      Type.Array(
        Type.Object(
          {
            title: required(blockLimits.headingLength),
            url,
            text: Type.Optional(required(blockLimits.itemLength)),
            src: Type.Optional(url),
            /** Who wrote it, and when. */
            about: Type.Optional(required(blockLimits.headingLength)),
          },
          { additionalProperties: false },
        ),
        { minItems: 1, maxItems: blockLimits.feedItems },
      ),
    ),
    /** What of the items is left out; everything is shown where it says nothing. */
    hide: Type.Optional(Type.Array(Type.Enum(['pictures', 'texts', 'dates']), { maxItems: 3 })),
    /** The words of a button below each item. */
    button: Type.Optional(required(blockLimits.buttonLength)),
    ...frame,
  },
  { additionalProperties: false },
)
export type FeedBlock = Static<typeof feed>

export type Block = Leaf | ImageText | FeedBlock | Columns

/** The schema of each type. The blocks within columns are checked each by its own. */
export const blockSchemas = {
  ...leaves,
  image_text: imageText,
  feed,
  columns: Type.Object(
    {
      type: kind('columns'),
      columns: Type.Array(Type.Array(Type.Unsafe<object>({ type: 'object' }), { minItems: 1 }), {
        minItems: blockLimits.columns.least,
        maxItems: blockLimits.columns.most,
      }),
      ...frame,
    },
    { additionalProperties: false },
  ),
}

export interface BlockMail {
  blocks: readonly Block[]
  /** What the window or tab of a mail is called: its subject, with Liquid. */
  title: string
}

/** How the mails of a business look. */
export interface Look {
  /** A BCP 47 tag. */
  language: string
  /** The colour of buttons and links, `#rrggbb`. */
  colour: string | null
  brand?: Brand | undefined
}

export interface MailLook extends Look {
  /** Where the service serves pictures, with a slash at the end. */
  pictures: string
}
