/** Fields that load when a block is chosen: of pictures, of what is behind it, and of rare blocks. */
import { Button, IconButton } from '../../ui/button.tsx'
import { Checkbox, ColourField, Input, Select, TextArea } from '../../ui/field.tsx'
import { blockWords } from '../../words/blocks.ts'
import { furtherWords } from '../../words/further-blocks.ts'
import { DropPicture } from '../pictures/drop-picture.tsx'
import type { FieldsProps } from './block-editor.tsx'
import { type Block, type Entry, type FeedPart, pictureFields } from './model.ts'

interface FurtherFieldsProps extends FieldsProps {
  /** What it says is written in the mail itself. */
  isInCanvas: boolean
}

export function FurtherFields({ isInCanvas, ...props }: FurtherFieldsProps) {
  const w = furtherWords
  const { block, set, own } = props
  const { type } = block
  const line = (field: 'name' | 'price' | 'code' | 'text', label: string) => (
    <Input
      label={label}
      value={block[field] ?? ''}
      onChange={({ target }) => set({ [field]: target.value })}
      fault={own(field)}
    />
  )
  return (
    <>
      {type === 'social' && <SocialFields {...props} />}
      {type === 'product' && !isInCanvas && line('name', w.name)}
      {type === 'product' && !isInCanvas && line('price', w.price)}
      {type === 'code' && !isInCanvas && line('text', w.codeText)}
      {type === 'code' && !isInCanvas && line('code', w.code)}
      {(type === 'product' || type === 'image_text') && !isInCanvas && (
        <TextArea
          label={blockWords.text}
          hint={blockWords.textHint}
          rows={3}
          value={block.text ?? ''}
          onChange={({ target }) => set({ text: target.value })}
          fault={own('text')}
        />
      )}
      {(type === 'product' || type === 'feed') && (
        <Input
          label={w.buttonText}
          hint={type === 'feed' ? w.feed.buttonHint : w.buttonHint}
          value={block.button ?? ''}
          onChange={({ target }) => set({ button: target.value })}
          fault={own('button')}
        />
      )}
      {type === 'image_text' && (
        <Select
          label={w.side}
          value={block.side ?? ''}
          onChange={({ target }) => set({ side: target.value })}
          options={Object.entries(w.sides)}
        />
      )}
      {(type === 'product' || type === 'receipt') && (
        <Input
          label={w.each}
          hint={w.eachHint}
          value={block.each ?? ''}
          onChange={({ target }) => set({ each: target.value.trim() || undefined })}
          fault={own('each')}
        />
      )}
      {type === 'feed' &&
        feedParts.map((part) => (
          <Checkbox
            key={part}
            label={w.feed.shows[part]}
            checked={!block.hide?.includes(part)}
            onChange={({ target }) => set({ hide: withPart(block, part, target.checked) })}
          />
        ))}
      {type === 'receipt' && <ReceiptFields {...props} />}
    </>
  )
}

const feedParts: readonly FeedPart[] = ['pictures', 'texts', 'dates']

/** What is left out once this part is shown or not. */
function withPart({ hide = [] }: Block, part: FeedPart, isShown: boolean): FeedPart[] | undefined {
  const others = hide.filter((entry) => entry !== part)
  const next = isShown ? others : [...others, part]
  return next.length > 0 ? next : undefined
}

/** The networks whose icon the service has, as in server/src/templates/blocks/types.ts. */
const networks = [
  ['facebook', 'Facebook'],
  ['instagram', 'Instagram'],
  ['linkedin', 'LinkedIn'],
  ['youtube', 'YouTube'],
  ['tiktok', 'TikTok'],
  ['x', 'X'],
  ['pinterest', 'Pinterest'],
  ['whatsapp', 'WhatsApp'],
  ['mastodon', 'Mastodon'],
  ['bluesky', 'Bluesky'],
] as const

function SocialFields({ block, set, own }: FieldsProps) {
  const { links = [] } = block
  const change = (network: string, url: string) => {
    const at = links.findIndex((link) => link.network === network)
    if (at < 0) return set({ links: [...links, { network, url }] })
    set({ links: url === '' ? links.toSpliced(at, 1) : links.with(at, { network, url }) })
  }
  return (
    <>
      <p className="text-sm text-muted">{furtherWords.linksHint}</p>
      {own('links') !== undefined && <p className="text-sm text-bad">{own('links')}</p>}
      {networks.map(([network, name]) => {
        const at = links.findIndex((link) => link.network === network)
        return (
          <Input
            key={network}
            label={name}
            placeholder="https://"
            value={links[at]?.url ?? ''}
            onChange={({ target }) => change(network, target.value.trim())}
            fault={at < 0 ? undefined : own(`links[${at}].url`)}
          />
        )
      })}
    </>
  )
}

function ReceiptFields({ block, set, own }: FieldsProps) {
  const w = furtherWords
  return (
    <>
      {(['rows', 'totals'] as const).map((list) => {
        const entries = block[list] ?? []
        const put = (next: Entry[]) =>
          set({ [list]: next.length === 0 ? undefined : next } as Partial<Block>)
        const nameOf = list === 'rows' ? w.row : w.total
        return (
          <div key={list} className="grid gap-3">
            {entries.map((entry, n) => (
              <EntryFields
                // biome-ignore lint/suspicious/noArrayIndexKey: rows keep their places.
                key={n}
                entry={entry}
                name={nameOf(n + 1)}
                hasQuantity={list === 'rows'}
                own={(field) => own(`${list}[${n}].${field}`)}
                onChange={(next) => put(entries.with(n, next))}
                // A receipt has a row at least.
                onRemove={
                  list === 'rows' && entries.length === 1
                    ? undefined
                    : () => put(entries.toSpliced(n, 1))
                }
              />
            ))}
            <Button
              className="justify-self-start"
              onClick={() => put([...entries, { name: nameOf(entries.length + 1), price: '0' }])}
            >
              {list === 'rows' ? w.addRow : w.addTotal}
            </Button>
          </div>
        )
      })}
    </>
  )
}

interface EntryFieldsProps {
  entry: Entry
  /** Such as “Row 2”. */
  name: string
  hasQuantity: boolean
  own: (field: string) => string | undefined
  onChange: (entry: Entry) => void
  onRemove: (() => void) | undefined
}

function EntryFields({ entry, name, hasQuantity, own, onChange, onRemove }: EntryFieldsProps) {
  const w = furtherWords
  const input = (field: keyof Entry, label: string) => (
    <Input
      label={label}
      value={entry[field] ?? ''}
      onChange={({ target }) => {
        const { [field]: _before, ...others } = entry
        const isLeftOut = field === 'quantity' && target.value === ''
        onChange((isLeftOut ? others : { ...entry, [field]: target.value }) as Entry)
      }}
      fault={own(field)}
    />
  )
  return (
    <fieldset className="grid gap-2">
      <legend className="flex w-full items-center justify-between text-sm font-medium">
        {name}
        {onRemove && <IconButton icon="close" label={w.removeEntry(name)} onClick={onRemove} />}
      </legend>
      {input('name', w.name)}
      <div className="grid grid-cols-2 gap-2">
        {hasQuantity && input('quantity', w.quantity)}
        {input('price', w.price)}
      </div>
    </fieldset>
  )
}

/** What is behind a block, and the space above and below it. */
export function FrameFields({ block, set, own }: FieldsProps) {
  const w = furtherWords
  const { type } = block
  if (type === 'view_link' || type === 'mjml') return null
  return (
    <>
      <ColourField
        label={w.background}
        pickLabel={blockWords.pickColour}
        usual="#ffffff"
        value={block.background ?? ''}
        onChange={({ target }) => set({ background: target.value })}
        fault={own('background')}
      />
      {type !== 'spacer' && (
        <Select
          label={w.padding}
          value={block.padding ?? ''}
          onChange={({ target }) => set({ padding: target.value } as Partial<Block>)}
          options={Object.entries(w.paddings)}
        />
      )}
    </>
  )
}

export function ImageFields({ block, set, own }: FieldsProps) {
  const w = furtherWords
  const { type, decorative = false } = block
  return (
    <>
      <DropPicture
        src={block.src ?? ''}
        onPicture={(picture) => {
          const fields = pictureFields(picture, block)
          // A logo stays small, and an image beside text is as wide as its column.
          if (type === 'logo' || type === 'image_text') delete fields.width
          set(fields)
        }}
      />
      <Input
        label={w.src}
        hint={w.srcHint}
        value={block.src ?? ''}
        onChange={({ target }) => set({ src: target.value.trim() })}
        fault={own('src')}
      />
      {!decorative && (
        <Input
          label={w.alt}
          hint={w.altHint}
          value={block.alt ?? ''}
          onChange={({ target }) => set({ alt: target.value })}
          fault={own('alt')}
        />
      )}
      {(type === 'image' || type === 'image_text') && (
        <Checkbox
          label={w.decorative}
          checked={decorative}
          onChange={({ target }) =>
            set(target.checked ? { decorative: true, alt: '', url: '' } : { decorative: false })
          }
        />
      )}
      {type !== 'image_text' && (
        <Input
          label={w.width}
          type="number"
          min={16}
          max={type === 'logo' ? 300 : 600}
          value={block.width ?? ''}
          onChange={({ target }) =>
            set({ width: target.value === '' ? undefined : Number(target.value) } as Partial<Block>)
          }
          fault={own('width')}
        />
      )}
    </>
  )
}
