/** Blocks in order, moved by dragging, by the arrow keys on their handle, or by their menu. */
import { type KeyboardEvent, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { tell } from '../../ui/tell.ts'
import { blockWords } from '../../words/block-words.ts'
import { BlockEditor, type BlockListProps } from './block-editor.tsx'
import { keyOf } from './keys.ts'
import { type Block, moved, nameOf, newBlock, placeFor } from './model.ts'

// Menus are heavy, and are not needed before the blocks are there.
const BlockMenu = lazy(async () => ({ default: (await import('./block-menus.tsx')).BlockMenu }))
const AddMenu = lazy(async () => ({ default: (await import('./block-menus.tsx')).AddMenu }))

export function BlockList({ blocks, onChange, fault, at, column, selection }: BlockListProps) {
  const [openKey, open] = useState<number>()
  const [dragged, drag] = useState<number>()
  const [told, announce] = useState('')
  const list = useRef<HTMLUListElement>(null)
  // An undo may come when the list has changed since.
  const current = useRef(blocks)
  useEffect(() => {
    current.current = blocks
  })

  const move = (from: number, to: number) => {
    const block = blocks[from]
    if (!block || to < 0 || to >= blocks.length || from === to) return
    onChange(moved(blocks, from, to))
    announce(blockWords.movedTo(nameOf(block), to + 1, blocks.length))
  }
  const onKeyDown = (event: KeyboardEvent, place: number) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    move(place, place + step)
  }
  const add = (block: Block, place: number) => {
    onChange(blocks.toSpliced(place, 0, block))
    if (selection) return selection.select(keyOf(block))
    open(keyOf(block))
    // After the menu has given the focus back to its button.
    setTimeout(() => {
      const field = list.current?.querySelector<HTMLElement>(
        '[data-open] :is(input, textarea, select)',
      )
      field?.focus()
      if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.select()
    }, 50)
  }
  const remove = (place: number) => {
    const block = blocks[place]
    if (!block) return
    onChange(blocks.toSpliced(place, 1))
    tell(blockWords.removed, {
      undo: () => onChange([...current.current].toSpliced(place, 0, block)),
    })
  }
  return (
    <div className="overflow-hidden rounded-lg border border-line">
      <ul ref={list} className="divide-y divide-line">
        {blocks.map((block, place) => {
          const key = keyOf(block)
          const isOpen = !selection && key === openKey
          const isChosen = selection?.key === key
          const name = nameOf(block)
          const path = `${at}[${place}]`
          const wrong = fault(path)
          return (
            <li
              key={key}
              data-open={isOpen || undefined}
              onDragOver={(event) => {
                if (dragged === undefined) return
                event.preventDefault()
                event.stopPropagation()
                if (dragged === place) return
                move(dragged, place)
                drag(place)
              }}
              className={dragged === place || isChosen ? 'bg-accent-ground' : 'bg-surface'}
            >
              <div className="flex min-h-10 items-center gap-1 px-1.5">
                <button
                  type="button"
                  draggable
                  onDragStart={(event) => {
                    event.stopPropagation()
                    drag(place)
                  }}
                  onDragEnd={() => drag(undefined)}
                  onKeyDown={(event) => onKeyDown(event, place)}
                  aria-label={blockWords.move(name, place + 1, blocks.length)}
                  title={blockWords.moveHint}
                  className="grid size-7 shrink-0 cursor-grab place-items-center rounded-md text-muted hover:bg-hover max-sm:size-9"
                >
                  <Icon name="grip" />
                </button>
                <button
                  type="button"
                  aria-expanded={selection ? undefined : isOpen}
                  aria-current={isChosen || undefined}
                  onClick={() =>
                    selection ? selection.select(key) : open(isOpen ? undefined : key)
                  }
                  className="flex min-h-9 min-w-0 flex-1 items-center gap-2 text-left"
                >
                  <span className="min-w-0 flex-1 truncate font-medium">
                    <bdi>{name}</bdi>
                  </span>
                  {wrong !== undefined && <Icon name="warn" className="shrink-0 text-bad" />}
                  {!selection && name !== blockWords.types[block.type] && (
                    <span className="shrink-0 text-sm text-muted">
                      {blockWords.types[block.type]}
                    </span>
                  )}
                  {!selection && (
                    <Icon name={isOpen ? 'down' : 'right'} className="shrink-0 text-muted" />
                  )}
                </button>
                <Suspense fallback={<span className="size-7 max-sm:size-9" />}>
                  <BlockMenu
                    name={name}
                    onDuplicate={() => add(structuredClone(block), place + 1)}
                    onUp={place > 0 ? () => move(place, place - 1) : undefined}
                    onDown={place < blocks.length - 1 ? () => move(place, place + 1) : undefined}
                    onRemove={() => remove(place)}
                  />
                </Suspense>
              </div>
              {!isOpen && !selection && wrong !== undefined && (
                <p className="px-10 pb-2 text-sm text-bad">{wrong}</p>
              )}
              {isOpen && (
                <BlockEditor
                  block={block}
                  onChange={(next) => onChange(blocks.with(place, next))}
                  fault={fault}
                  at={path}
                  renderList={(inner) => <BlockList {...inner} />}
                />
              )}
            </li>
          )
        })}
      </ul>
      {blocks.length === 0 && <p className="p-4 text-muted">{blockWords.empty}</p>}
      <div className="flex items-center gap-3 border-t border-line bg-surface px-3 py-2">
        <Suspense fallback={<span className="h-8 max-sm:h-9" />}>
          <AddMenu
            column={column}
            onAdd={(type) =>
              add(newBlock(type), placeFor(type, blocks.length, column !== undefined))
            }
          />
        </Suspense>
        {column === undefined && !selection && (
          <span className="text-sm text-muted max-sm:hidden">{blockWords.moveHint}</span>
        )}
      </div>
      <p aria-live="polite" className="sr-only">
        {told}
      </p>
    </div>
  )
}
