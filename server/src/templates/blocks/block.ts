/**
 * The blocks that a mail can be written in, as a list of JSON objects. The service turns them into
 * MJML (`thread/block-layout.ts`). HTML and MJML are never turned into blocks.
 */
import { type Static, Type } from '../../lib/schema/schema.ts'

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
} as const

const kind = <const T extends string>(type: T) => Type.Enum([type])
const required = (most: number) => Type.String({ minLength: 1, maxLength: most })
const aligned = Type.Optional(Type.Enum(['left', 'center', 'right']))
const colour = Type.Optional(
  Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'A colour such as #1d4ed8.' }),
)

const { imageWidth, spacerHeight } = blockLimits

const leaves = {
  heading: Type.Object(
    {
      type: kind('heading'),
      text: required(blockLimits.headingLength),
      level: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
      align: aligned,
      colour,
    },
    { additionalProperties: false },
  ),
  text: Type.Object(
    {
      type: kind('text'),
      text: required(blockLimits.textLength),
      align: aligned,
      colour,
    },
    { additionalProperties: false },
  ),
  image: Type.Object(
    {
      type: kind('image'),
      src: required(blockLimits.urlLength),
      alt: Type.Optional(required(blockLimits.altLength)),
      decorative: Type.Optional(Type.Boolean()),
      url: Type.Optional(required(blockLimits.urlLength)),
      width: Type.Optional(Type.Integer({ minimum: imageWidth.least, maximum: imageWidth.most })),
      align: aligned,
    },
    { additionalProperties: false },
  ),
  button: Type.Object(
    {
      type: kind('button'),
      text: required(blockLimits.buttonLength),
      url: required(blockLimits.urlLength),
      align: aligned,
      colour,
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
    },
    { additionalProperties: false },
  ),
  quote: Type.Object(
    {
      type: kind('quote'),
      text: required(blockLimits.textLength),
      by: Type.Optional(required(blockLimits.headingLength)),
    },
    { additionalProperties: false },
  ),
  divider: Type.Object({ type: kind('divider') }, { additionalProperties: false }),
  spacer: Type.Object(
    {
      type: kind('spacer'),
      height: Type.Optional(
        Type.Integer({ minimum: spacerHeight.least, maximum: spacerHeight.most }),
      ),
    },
    { additionalProperties: false },
  ),
  view_link: Type.Object(
    {
      type: kind('view_link'),
      text: Type.Optional(required(blockLimits.buttonLength)),
      align: aligned,
    },
    { additionalProperties: false },
  ),
  mjml: Type.Object(
    { type: kind('mjml'), mjml: required(blockLimits.mjmlLength) },
    { additionalProperties: false },
  ),
}

export type Leaf = {
  [Kind in keyof typeof leaves]: Static<(typeof leaves)[Kind]>
}[keyof typeof leaves]

/** Blocks side by side, which stand one below the other on a phone. */
export interface Columns {
  type: 'columns'
  columns: Leaf[][]
}

export type Block = Leaf | Columns

/** The schema of each type. The blocks within columns are checked each by its own. */
export const blockSchemas = {
  ...leaves,
  columns: Type.Object(
    {
      type: kind('columns'),
      columns: Type.Array(Type.Array(Type.Unsafe<object>({ type: 'object' }), { minItems: 1 }), {
        minItems: blockLimits.columns.least,
        maxItems: blockLimits.columns.most,
      }),
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
}
