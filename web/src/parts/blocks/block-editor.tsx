/** The fields of one block. */
import { type ReactNode, Suspense } from 'react'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/classes.ts'
import { Checkbox, ColourField, Input, Select, TextArea } from '../../ui/field.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { blockWords } from '../../words/blocks.ts'
import { type Block, hasTrait, newBlock, slotOfAddress, withFields } from './model.ts'

const FurtherFields = lazyPart(() => import('./further-fields.tsx'), 'FurtherFields')
const ImageFields = lazyPart(() => import('./further-fields.tsx'), 'ImageFields')
const FrameFields = lazyPart(() => import('./further-fields.tsx'), 'FrameFields')

const ShownField = lazyPart(() => import('./shown-field.tsx'), 'ShownField')

export interface BlockListProps {
  blocks: readonly Block[]
  onChange: (blocks: Block[]) => void
  /** The message of the service about a field, such as `blocks[2].text`. */
  fault: (field: string) => string | undefined
  /** The path of the list, such as `blocks`. */
  at: string
  /** The number of the column that the blocks stand in. */
  column?: number
  /** Of a list whose blocks are edited elsewhere: which one is chosen. */
  selection?: { key: number | undefined; select: (key: number) => void }
}

interface BlockEditorProps {
  block: Block
  onChange: (block: Block) => void
  fault: (field: string) => string | undefined
  /** The path of the block, such as `blocks[2]`. */
  at: string
  /** What it says is written in the mail itself. */
  isInCanvas?: boolean
  /** Shows the blocks of a column, by the list that shows this editor. */
  renderList: (list: BlockListProps) => ReactNode
}

export function BlockEditor(props: BlockEditorProps) {
  const { block, onChange, fault, at, isInCanvas = false } = props
  const w = blockWords
  const set = (change: Partial<Block>) => onChange(withFields(block, change))
  const { type } = block
  const own = (field: string) => fault(`${at}.${field}`)
  const hasPicture = hasTrait(type, 'picture')
  const urlSlot = slotOfAddress(block.url)
  if (type === 'columns') return <ColumnsEditor {...props} />
  return (
    <div className={cx('grid gap-3', !isInCanvas && 'border-t border-line bg-sunken/50 p-3')}>
      {!isInCanvas && (type === 'heading' || type === 'button') && (
        <Input
          label={w.text}
          value={block.text ?? ''}
          onChange={({ target }) => set({ text: target.value })}
          fault={own('text')}
        />
      )}
      {!isInCanvas && (type === 'text' || type === 'quote' || type === 'footer') && (
        <TextArea
          label={w.text}
          hint={w.textHint}
          rows={type === 'text' ? 6 : 3}
          value={block.text ?? ''}
          onChange={({ target }) => set({ text: target.value })}
          fault={own('text')}
        />
      )}
      {type === 'list' && (
        <>
          {!isInCanvas && (
            <TextArea
              label={w.items}
              hint={w.textHint}
              rows={5}
              value={(block.items ?? []).join('\n')}
              onChange={({ target }) => set({ items: target.value.split('\n') })}
              fault={own('items')}
            />
          )}
          <Checkbox
            label={w.ordered}
            checked={block.ordered ?? false}
            onChange={({ target }) => set({ ordered: target.checked })}
          />
        </>
      )}
      {type === 'quote' && (
        <Input
          label={w.by}
          value={block.by ?? ''}
          onChange={({ target }) => set({ by: target.value })}
          fault={own('by')}
        />
      )}
      {hasPicture && (
        <Suspense>
          <ImageFields {...{ block, set, own }} />
        </Suspense>
      )}
      {(type === 'button' || (hasPicture && !block.decorative)) && (
        <Input
          label={w.url}
          hint={w.urlHint}
          value={urlSlot === undefined ? (block.url ?? '') : ''}
          placeholder={urlSlot}
          onChange={({ target }) => set({ url: target.value.trim() })}
          fault={own('url')}
        />
      )}
      {type === 'view_link' && isInCanvas && <p className="text-sm text-muted">{w.viewHint}</p>}
      {type === 'view_link' && !isInCanvas && (
        <Input
          label={w.viewText}
          hint={w.viewHint}
          placeholder={w.types.view_link}
          value={block.text ?? ''}
          onChange={({ target }) => set({ text: target.value })}
          fault={own('text')}
        />
      )}
      {type === 'spacer' && (
        <Input
          label={w.height}
          type="number"
          min={4}
          max={100}
          value={block.height ?? 24}
          onChange={({ target }) => set({ height: Number(target.value) })}
          fault={own('height')}
        />
      )}
      {type === 'mjml' && (
        <TextArea
          label={w.mjml}
          rows={8}
          spellCheck={false}
          className="font-mono text-sm"
          value={block.mjml ?? ''}
          onChange={({ target }) => set({ mjml: target.value })}
          fault={own('mjml')}
        />
      )}
      {hasTrait(type, 'further') && (
        <Suspense>
          <FurtherFields {...{ block, set, own, isInCanvas }} />
        </Suspense>
      )}
      <LookFields {...{ block, set, own }} isNarrow={isInCanvas} />
      <Suspense>
        <FrameFields {...{ block, set, own }} />
        <ShownField {...{ block, set, own }} />
      </Suspense>
    </div>
  )
}

export interface FieldsProps {
  block: Block
  set: (change: Partial<Block>) => void
  /** The message of the service about a field of the block. */
  own: (field: string) => string | undefined
}

function LookFields({ block, set, own, isNarrow }: FieldsProps & { isNarrow: boolean }) {
  const w = blockWords
  const { type } = block
  const hasColour = hasTrait(type, 'colour')
  const usualAlign = hasTrait(type, 'centred') ? 'center' : ''
  if (!hasTrait(type, 'align')) return null
  return (
    <div className={cx('grid gap-3', !isNarrow && 'sm:grid-cols-2')}>
      {type === 'heading' && (
        <Select
          label={w.level}
          value={block.level ?? ''}
          onChange={({ target }) =>
            set({ level: target.value === '' ? undefined : Number(target.value) } as Partial<Block>)
          }
          options={Object.entries(w.levels)}
          fault={own('level')}
        />
      )}
      <Select
        label={w.align}
        value={block.align ?? usualAlign}
        onChange={({ target }) => set({ align: target.value })}
        options={Object.entries(w.aligns).filter(([align]) => align !== '' || usualAlign === '')}
      />
      {hasColour && (
        <ColourField
          label={w.colour}
          hint={w.colourHint}
          pickLabel={w.pickColour}
          usual={block.type === 'button' ? undefined : '#24242b'}
          value={block.colour ?? ''}
          onChange={({ target }) => set({ colour: target.value })}
          fault={own('colour')}
        />
      )}
    </div>
  )
}

function ColumnsEditor({ block, onChange, fault, at, renderList, isInCanvas }: BlockEditorProps) {
  const w = blockWords
  const columns = block.columns ?? []
  const set = (next: Block[][]) => onChange(withFields(block, { columns: next }))
  const isWide = columns.length > 2
  return (
    <div className={cx('grid gap-3', !isInCanvas && 'border-t border-line bg-sunken/50 p-3')}>
      {columns.map((column, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their places.
        <section key={place} aria-label={w.column(place + 1)} className="grid gap-1">
          <p className="text-sm font-medium">{w.column(place + 1)}</p>
          {renderList({
            blocks: column,
            onChange: (next) => set(columns.with(place, next)),
            fault,
            at: `${at}.columns[${place}]`,
            column: place + 1,
          })}
        </section>
      ))}
      <Button
        className="justify-self-start"
        onClick={() => set(isWide ? columns.slice(0, 2) : [...columns, [newBlock('text')]])}
      >
        {isWide ? w.fewerColumns : w.moreColumns}
      </Button>
      <Suspense>
        <FrameFields
          block={block}
          set={(change) => onChange(withFields(block, change))}
          own={(field) => fault(`${at}.${field}`)}
        />
        <ShownField
          block={block}
          set={(change) => onChange(withFields(block, change))}
          own={(field) => fault(`${at}.${field}`)}
        />
      </Suspense>
    </div>
  )
}
