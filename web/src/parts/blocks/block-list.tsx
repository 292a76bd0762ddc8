/** Blocks in order, moved by dragging, by the arrow keys on their handle, or by their menu. */
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { cx } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { tell } from '../../ui/tell.ts'
import { blockWords } from '../../words/blocks.ts'
import { BlockEditor, type BlockListProps } from './block-editor.tsx'
import { keyOf } from './keys.ts'
import { type Block, moved, nameOf, newBlock, placeFor } from './model.ts'

// Menus are heavy, and are not needed before the blocks are there.
const BlockMenu = lazyPart(() => import('./block-menus.tsx'), 'BlockMenu')
const AddMenu = lazyPart(() => import('./block-menus.tsx'), 'AddMenu')

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
  const now: Actions = {
    move,
    add,
    remove,
    drag,
    dragOver(place) {
      if (dragged === undefined) return false
      if (dragged !== place) {
        move(dragged, place)
        drag(place)
      }
      return true
    },
    toggle(key) {
      if (selection) selection.select(key)
      else open(key === openKey ? undefined : key)
    },
  }
  const actions = useRef(now)
  useLayoutEffect(() => {
    actions.current = now
  })
  return (
    <div className="overflow-hidden rounded-lg border border-line">
      <ul ref={list} className="divide-y divide-line">
        {blocks.map((block, place) => {
          const key = keyOf(block)
          const isOpen = !selection && key === openKey
          const isChosen = selection?.key === key
          const path = `${at}[${place}]`
          return (
            <BlockRow
              key={key}
              block={block}
              place={place}
              count={blocks.length}
              isOpen={isOpen}
              isChosen={isChosen}
              isDragged={dragged === place}
              isAlone={!selection}
              wrong={fault(path)}
              actions={actions}
            >
              {isOpen && (
                <BlockEditor
                  block={block}
                  onChange={(next) => onChange(blocks.with(place, next))}
                  fault={fault}
                  at={path}
                  renderList={(inner) => <BlockList {...inner} />}
                />
              )}
            </BlockRow>
          )
        })}
      </ul>
      {blocks.length === 0 && <p className="p-4 text-muted">{blockWords.empty}</p>}
      <div
        className={cx(
          'flex items-center gap-3 border-t border-line bg-surface py-2',
          selection ? 'justify-center px-1' : 'px-3',
        )}
      >
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

interface Actions {
  move: (from: number, to: number) => void
  add: (block: Block, place: number) => void
  remove: (place: number) => void
  drag: (place: number | undefined) => void
  /** Whether what is dragged is of this list. */
  dragOver: (place: number) => boolean
  toggle: (key: number) => void
}

interface BlockRowProps {
  block: Block
  place: number
  count: number
  isOpen: boolean
  isChosen: boolean
  isDragged: boolean
  /** The blocks are changed here, and not in the mail beside the list. */
  isAlone: boolean
  wrong: string | undefined
  actions: RefObject<Actions>
  /** The fields of the block, if it is open. */
  children: ReactNode
}

/** A row is drawn anew when its own block changes, and not with each letter in another. */
const BlockRow = memo(function BlockRow(props: BlockRowProps) {
  const { block, place, count, isOpen, isChosen, isDragged, isAlone, wrong, actions } = props
  const name = nameOf(block)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    actions.current.move(place, place + step)
  }
  const move = (to: number) => () => actions.current.move(place, to)
  return (
    <li
      data-open={isOpen || undefined}
      onDragOver={(event) => {
        if (!actions.current.dragOver(place)) return
        event.preventDefault()
        event.stopPropagation()
      }}
      className={isDragged || isChosen ? 'bg-accent-ground' : 'bg-surface'}
    >
      <div className="flex min-h-10 items-center gap-1 px-1.5">
        <button
          type="button"
          draggable
          onDragStart={(event) => {
            event.stopPropagation()
            actions.current.drag(place)
          }}
          onDragEnd={() => actions.current.drag(undefined)}
          onKeyDown={onKeyDown}
          aria-label={blockWords.move(name, place + 1, count)}
          title={blockWords.moveHint}
          className="grid size-7 shrink-0 cursor-grab place-items-center rounded-md text-muted hover:bg-hover max-sm:size-9"
        >
          <Icon name="grip" />
        </button>
        <button
          type="button"
          aria-expanded={isAlone ? isOpen : undefined}
          aria-current={isChosen || undefined}
          onClick={() => actions.current.toggle(keyOf(block))}
          className="flex min-h-9 min-w-0 flex-1 items-center gap-2 text-left"
        >
          <span className="min-w-0 flex-1 truncate font-medium">
            <bdi>{name}</bdi>
          </span>
          {wrong !== undefined && <Icon name="warn" className="shrink-0 text-bad" />}
          {isAlone && name !== blockWords.types[block.type] && (
            <span className="shrink-0 text-sm text-muted">{blockWords.types[block.type]}</span>
          )}
          {isAlone && <Icon name={isOpen ? 'down' : 'right'} className="shrink-0 text-muted" />}
        </button>
        <Suspense fallback={<span className="size-7 max-sm:size-9" />}>
          <BlockMenu
            name={name}
            onDuplicate={() => actions.current.add(structuredClone(block), place + 1)}
            onUp={place > 0 ? move(place - 1) : undefined}
            onDown={place < count - 1 ? move(place + 1) : undefined}
            onRemove={() => actions.current.remove(place)}
          />
        </Suspense>
      </div>
      {!isOpen && isAlone && wrong !== undefined && (
        <p className="px-10 pb-2 text-sm text-bad">{wrong}</p>
      )}
      {props.children}
    </li>
  )
})
