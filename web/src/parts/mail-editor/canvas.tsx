/**
 * The mail as it will look, which is where it is written: the blocks in order, the mail itself, and
 * the settings of the block that is chosen.
 */
import { CrierError } from '@crier-mail/sdk/session'
import { useQuery } from '@tanstack/react-query'
import type { Editor } from '@tiptap/core'
import {
  type CSSProperties,
  Fragment,
  memo,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/classes.ts'
import { MenuAt, MenuItem } from '../../ui/menu.tsx'
import { Failure, faultOf } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { blockWords } from '../../words/blocks.ts'
import { canvasWords } from '../../words/canvas.ts'
import { BlockEditor } from '../blocks/block-editor.tsx'
import { BlockList } from '../blocks/block-list.tsx'
import { AddMenu } from '../blocks/block-menus.tsx'
import { keyOf } from '../blocks/keys.ts'
import {
  type Block,
  type BlockType,
  blockTypes,
  hasTrait,
  newBlock,
  pictureFields,
  withFields,
} from '../blocks/model.ts'
import { pictureIn, usePictureUpload } from '../pictures/use-upload.ts'
import { frameOf, readable } from './block-look.tsx'
import { MailBlock } from './mail-block.tsx'
import './mail.css'
import { lazyPart } from '../../ui/lazy-part.ts'
import { type Surroundings, SurroundingsContext } from './rich-text.tsx'
import { placeOfChoice, Toolbar, useEditorState } from './toolbar.tsx'
import { type WrittenDocument, writeText } from './written-text.ts'

const LinkDialog = lazyPart(() => import('./dialogs.tsx'), 'LinkDialog')
const ChipDialog = lazyPart(() => import('./dialogs.tsx'), 'ChipDialog')
const BrandPart = lazyPart(() => import('./brand-part.tsx'), 'BrandPart')

interface CanvasProps {
  blocks: readonly Block[]
  onChange: (blocks: Block[]) => void
  /** What the service finds wrong with the mail. */
  error: unknown
  may: boolean
}

/** Where a block is: at the top, or in a column of another. */
interface Place {
  at: number
  column?: number
  within?: number
}

type Open =
  | { what: 'link'; editor: Editor }
  | { what: 'chip'; editor: Editor; pos: number }
  | { what: 'slash'; editor: Editor; paragraph: number; block: Block }

const usualColour = '#4338ca'

export function MailCanvas({ blocks, onChange, error, may }: CanvasProps) {
  const w = blockWords
  const business_id = useBusinessId()
  const { data: business } = useQuery({
    queryKey: ['business.get', business_id],
    queryFn: ({ signal }) => api.business.get({ business_id }, { signal }),
  })
  const [chosen, choose] = useState<number>()
  const [editor, setEditor] = useState<Editor>()
  const [open, setOpen] = useState<Open>()
  const [isPhone, setPhone] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const isNarrow = useIsNarrow()
  const faults = useMemo(() => faultsOf(error), [error])
  const { fault } = faults
  const accent = business?.colour ?? usualColour
  // More may be typed while a picture is on its way, or an undo is offered.
  const current = useRef(blocks)
  useEffect(() => {
    current.current = blocks
  })
  const upload = usePictureUpload((picture) => {
    onChange([...current.current, { type: 'image', ...pictureFields(picture) } as Block])
    tell(w.pictures.added, { description: w.pictures.addedAbout })
  })
  const take = (data: DataTransfer) => {
    const file = pictureIn(data)
    // Word puts a picture of the words beside the words.
    if (!file || upload.isPending || data.types.includes('text/html')) return false
    upload.mutate(file)
    return true
  }
  const surroundings = useMemo(
    (): Surroundings => ({
      isEditable: may,
      onFocus: setEditor,
      onLink: (of) => setOpen({ what: 'link', editor: of }),
      onChip: (of, pos) => setOpen({ what: 'chip', editor: of, pos }),
    }),
    [may],
  )
  const place = placeOf(blocks, chosen)
  const block = place && blockAt(blocks, place)
  const change = (at: Place, next: Block) => onChange(withBlocks(blocks, at, [next]))
  const focusBlock = (key: number) => {
    choose(key)
    // After a menu has given the focus back.
    setTimeout(() => {
      const found = box.current?.querySelector<HTMLElement>(`[data-block="${key}"]`)
      const words = found?.querySelector<HTMLElement>('[contenteditable="true"], .mail-pick')
      words?.focus()
      if (words?.isContentEditable) getSelection()?.selectAllChildren(words)
      found?.scrollIntoView({ block: 'nearest' })
    }, 50)
  }
  const insert = (type: BlockType, after: Place | undefined) => {
    const added = newBlock(type)
    if (after) {
      const before = blockAt(blocks, after)
      if (before) onChange(withBlocks(blocks, after, [before, added]))
    } else onChange(type === 'view_link' ? [added, ...blocks] : [...blocks, added])
    focusBlock(keyOf(added))
  }
  /** The empty paragraph in which `/` was typed becomes a block, between what is before and after it. */
  const insertAtSlash = (
    { editor: of, paragraph, block: within }: Open & { what: 'slash' },
    type: BlockType,
  ) => {
    const at = placeOf(blocks, keyOf(within))
    if (!at) return
    const { content } = of.getJSON() as WrittenDocument
    const added = newBlock(type)
    const [before, after] = [content.slice(0, paragraph), content.slice(paragraph + 1)]
    const textOf = (part: typeof content) => writeText({ type: 'doc', content: part })
    const rest = textOf(after)
    const next = [
      ...(textOf(before) === '' ? [] : [{ ...within, text: textOf(before) }]),
      added,
      ...(rest === '' ? [] : [{ ...within, text: rest }]),
    ]
    onChange(withBlocks(blocks, at, next))
    focusBlock(keyOf(added))
  }
  const remove = (removed: Block) => {
    const at = placeOf(blocks, keyOf(removed))
    if (!at) return
    onChange(withBlocks(blocks, at, []))
    choose(undefined)
    box.current?.focus()
    tell(w.removed, {
      undo: () => {
        const now = current.current
        const list = listAt(now, at)
        if (list) onChange(withList(now, at, list.toSpliced(at.at, 0, removed)))
      },
    })
  }
  const now: Actions = {
    choose,
    change(next) {
      const at = placeOf(blocks, keyOf(next))
      if (at) change(at, next)
    },
    move(moved, to) {
      const at = placeOf(blocks, keyOf(moved))
      const list = at && listAt(blocks, at)
      if (!list) return
      const others = list.toSpliced(at.at, 1)
      onChange(withList(blocks, at, others.toSpliced(to, 0, moved)))
    },
    duplicate(of) {
      const at = placeOf(blocks, keyOf(of))
      if (!at) return
      const copy = structuredClone(of)
      onChange(withBlocks(blocks, at, [of, copy]))
      focusBlock(keyOf(copy))
    },
    insert: (type, after) => insert(type, placeOf(blocks, keyOf(after))),
    remove,
    slash: (within, of, paragraph) =>
      setOpen({ what: 'slash', editor: of, paragraph, block: within }),
  }
  const actions = useRef(now)
  useLayoutEffect(() => {
    actions.current = now
  })
  const firstHeading = firstHeadingOf(blocks)
  const headerAt = blocks[0]?.type === 'view_link' ? 1 : 0
  const brandPart = (part: 'header' | 'footer', isHidden: boolean) => (
    <Suspense>
      <BrandPart {...{ part, isHidden, accent }} />
    </Suspense>
  )
  const header = brandPart('header', blocks[headerAt]?.type === 'logo')
  const settings = block && place && (
    <section
      aria-label={canvasWords.settings}
      // What is chosen here is not chosen in the mail.
      onFocus={(event) => event.stopPropagation()}
      onPointerDown={(event) => event.stopPropagation()}
      className="mail-settings grid content-start gap-3 rounded-lg border border-line bg-surface p-3 text-ink"
    >
      <h3 className="font-semibold">{w.types[block.type]}</h3>
      {may &&
        !isNarrow &&
        editor &&
        !editor.isDestroyed &&
        editor.isEditable &&
        hasTrait(block.type, 'words') && (
          <Toolbar editor={editor} onLink={() => setOpen({ what: 'link', editor })} />
        )}
      <BlockEditor
        block={block}
        onChange={(next) => change(place, next)}
        fault={fault}
        at={pathOf(place)}
        isInCanvas
        renderList={(inner) => <BlockList {...inner} />}
      />
    </section>
  )
  return (
    <SurroundingsContext value={surroundings}>
      <section
        aria-label={canvasWords.title}
        className="grid items-start gap-4 lg:grid-cols-[minmax(150px,190px)_minmax(0,1fr)] xl:grid-cols-[minmax(150px,190px)_minmax(0,1fr)_230px]"
        onDragOver={(event) => event.dataTransfer.types.includes('Files') && event.preventDefault()}
        onDrop={(event) => take(event.dataTransfer) && event.preventDefault()}
        onPasteCapture={(event) => {
          if (!take(event.clipboardData)) return
          event.preventDefault()
          event.stopPropagation()
        }}
      >
        <Folded isFolded={isNarrow} title={`${w.title} (${blocks.length})`}>
          <section
            aria-label={w.title}
            className="lg:sticky lg:top-16 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto"
          >
            <BlockList
              blocks={blocks}
              onChange={onChange}
              fault={fault}
              at="blocks"
              selection={{ key: chosen, select: focusBlock }}
            />
          </section>
        </Folded>
        <div className="min-w-0">
          <div className="mail-ground">
            <div className="mb-2 flex justify-end">
              <span className="flex rounded-md border border-[#d9d9e0] bg-[#ffffff] p-px">
                {([false, true] as const).map((phone) => (
                  <button
                    key={String(phone)}
                    type="button"
                    aria-pressed={phone === isPhone}
                    onClick={() => setPhone(phone)}
                    className={cx(
                      'h-6.5 rounded px-2 text-sm max-sm:h-8',
                      phone === isPhone ? 'bg-[#ececf1] text-[#24242b]' : 'text-[#5a5a65]',
                    )}
                  >
                    {phone ? canvasWords.phone : canvasWords.desktop}
                  </button>
                ))}
              </span>
            </div>
            <div
              ref={box}
              // Where the focus goes when its block is deleted.
              tabIndex={-1}
              style={{ '--mail-accent': readable(accent) } as CSSProperties}
              className={cx('mail-card', isPhone && 'is-phone')}
            >
              {headerAt === 0 && header}
              {blocks.map((entry, at) => (
                <Fragment key={keyOf(entry)}>
                  <BlockFrame
                    block={entry}
                    at={at}
                    count={blocks.length}
                    chosen={keyWithin(entry, chosen)}
                    firstHeading={keyWithin(entry, firstHeading)}
                    settings={isNarrow && keyWithin(entry, chosen) !== undefined && settings}
                    {...{ faults, accent, may, isNarrow, actions }}
                  />
                  {headerAt === at + 1 && header}
                </Fragment>
              ))}
              {brandPart('footer', blocks.at(-1)?.type === 'social')}
              {blocks.length === 0 && <p className="mail-empty">{w.empty}</p>}
              {box.current && editor && !open && (
                <Floating
                  editor={editor}
                  box={box.current}
                  onLink={() => setOpen({ what: 'link', editor })}
                />
              )}
            </div>
            {may && (
              <div className="mt-3 flex justify-center">
                <AddMenu
                  column={undefined}
                  label={canvasWords.addAtEnd}
                  onAdd={(type) => insert(type, undefined)}
                />
              </div>
            )}
          </div>
          {upload.isPending && (
            <p role="status" className="text-sm text-muted">
              {w.pictures.sending}
            </p>
          )}
          {upload.error && <Failure error={upload.error} />}
          {hasOtherError(error) && blocks.length > 0 && <Failure error={error} />}
        </div>
        {!isNarrow && (
          <div className="lg:col-start-2 xl:sticky xl:top-16 xl:col-start-3 xl:row-start-1 xl:max-h-[calc(100dvh-6rem)] xl:overflow-y-auto">
            {settings ?? <p className="text-sm text-muted max-xl:hidden">{canvasWords.none}</p>}
          </div>
        )}
      </section>
      <Suspense>
        {open?.what === 'link' && (
          <LinkDialog editor={open.editor} onClose={() => setOpen(undefined)} />
        )}
        {open?.what === 'chip' && (
          <ChipDialog editor={open.editor} pos={open.pos} onClose={() => setOpen(undefined)} />
        )}
      </Suspense>
      {open?.what === 'slash' && (
        <MenuAt
          label={w.add}
          anchor={() => caretOf(open.editor)}
          onClose={(isChosen) => {
            setOpen(undefined)
            if (!isChosen)
              setTimeout(() => open.editor.chain().focus().insertContent('/').run(), 50)
          }}
        >
          {blockTypes
            .filter(
              (type) =>
                !hasTrait(type, 'wide') || placeOf(blocks, keyOf(open.block))?.within === undefined,
            )
            .map((type) => (
              <MenuItem key={type} onClick={() => insertAtSlash(open, type)}>
                {w.types[type]}
              </MenuItem>
            ))}
        </MenuAt>
      )}
    </SurroundingsContext>
  )
}

/** What can be done with a block. It is found by its key, wherever it is by then. */
interface Actions {
  choose: (key: number) => void
  change: (next: Block) => void
  move: (block: Block, to: number) => void
  duplicate: (block: Block) => void
  insert: (type: BlockType, after: Block) => void
  remove: (block: Block) => void
  slash: (block: Block, editor: Editor, paragraph: number) => void
}

interface BlockFrameProps extends Place {
  block: Block
  count: number
  /** The keys of the chosen block and of the first heading, if they are this one or within it. */
  chosen: number | undefined
  firstHeading: number | undefined
  /** Of the block that is chosen, where they stand below it. */
  settings: ReactNode
  faults: ReturnType<typeof faultsOf>
  accent: string
  may: boolean
  isNarrow: boolean
  actions: RefObject<Actions>
}

/** A block with what surrounds it. A letter that is typed in one is no work for the others. */
const BlockFrame = memo(function BlockFrame(props: BlockFrameProps) {
  const { block, at, column, count, chosen, firstHeading, settings } = props
  const { faults, accent, may, isNarrow, actions } = props
  const w = blockWords
  const key = keyOf(block)
  const isChosen = key === chosen
  const about = canvasWords.label(w.types[block.type], at + 1, count)
  const label = block.show_if ? `${about}, ${canvasWords.forSome}` : about
  const path = pathOf(props)
  const wrong = faults.fault(path) ?? faults.own(path)
  const choose = () => actions.current.choose(key)
  const bar = isChosen && may && (
    <BlockBar
      at={at}
      column={column}
      count={count}
      name={w.types[block.type]}
      onMove={(to) => actions.current.move(block, to)}
      onDuplicate={() => actions.current.duplicate(block)}
      onAdd={(type) => actions.current.insert(type, block)}
      onRemove={() => actions.current.remove(block)}
    />
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out like this.
    <div
      role="group"
      data-block={key}
      aria-label={label}
      aria-current={isChosen || undefined}
      onPointerDown={(event) => {
        event.stopPropagation()
        // What a finger touches is chosen with its focus: earlier, blocks would move below the finger.
        if (event.pointerType !== 'touch') choose()
      }}
      onFocus={(event) => {
        event.stopPropagation()
        choose()
      }}
      style={frameOf(block, accent)}
      className={cx('mail-block', isChosen && 'is-chosen', wrong !== undefined && 'is-wrong')}
    >
      {!isNarrow && bar}
      {block.show_if && <p className="mail-for-some">{canvasWords.forSome}</p>}
      <MailBlock
        block={block}
        onChange={(next) => actions.current.change(next)}
        label={label}
        fault={(field) => faults.fault(`${path}.${field}`)}
        accent={accent}
        isFirstHeading={key === firstHeading}
        onPick={choose}
        onSlash={(...typed) => actions.current.slash(...typed)}
        renderColumn={(inside, n) =>
          inside.map((inner, m) => (
            <BlockFrame
              key={keyOf(inner)}
              block={inner}
              at={m}
              column={n}
              within={at}
              count={inside.length}
              chosen={keyWithin(inner, chosen)}
              firstHeading={keyWithin(inner, firstHeading)}
              settings={keyWithin(inner, chosen) !== undefined && settings}
              {...{ faults, accent, may, isNarrow, actions }}
            />
          ))
        }
      />
      {wrong !== undefined && <p className="mail-fault">{wrong}</p>}
      {isNarrow && isChosen && <div className="mail-bar-below">{bar}</div>}
      {isChosen && settings}
    </div>
  )
})

function Floating({ editor, box, onLink }: { editor: Editor; box: Element; onLink: () => void }) {
  useEditorState(editor)
  if (editor.isDestroyed || !editor.isEditable) return null
  const place = placeOfChoice(editor, box)
  if (!place) return null
  return (
    <div className="absolute z-20 text-ink" style={place}>
      <Toolbar editor={editor} onLink={onLink} floats />
    </div>
  )
}

interface BlockBarProps {
  at: number
  column: number | undefined
  count: number
  name: string
  onMove: (to: number) => void
  onDuplicate: () => void
  onAdd: (type: BlockType) => void
  onRemove: () => void
}

function BlockBar({
  at,
  column,
  count,
  name,
  onMove,
  onDuplicate,
  onAdd,
  onRemove,
}: BlockBarProps) {
  return (
    <div className="mail-bar flex rounded-md border border-line bg-raised p-px text-ink shadow-pop">
      <AddMenu column={column} label={canvasWords.addBelow} isSmall onAdd={onAdd} />
      {at > 0 && (
        <IconButton icon="up" label={canvasWords.up(name)} onClick={() => onMove(at - 1)} />
      )}
      {at < count - 1 && (
        <IconButton icon="down" label={canvasWords.down(name)} onClick={() => onMove(at + 1)} />
      )}
      <IconButton icon="copy" label={canvasWords.duplicate(name)} onClick={onDuplicate} />
      <IconButton icon="close" label={canvasWords.remove(name)} onClick={onRemove} />
    </div>
  )
}

function Folded({
  isFolded,
  title,
  children,
}: {
  isFolded: boolean
  title: string
  children: ReactNode
}) {
  if (!isFolded) return children
  return (
    <details>
      <summary className="min-h-8 text-sm font-medium">{title}</summary>
      <div className="pt-2">{children}</div>
    </details>
  )
}

function caretOf({ view, state }: Editor) {
  const { left, top, bottom } = view.coordsAtPos(state.selection.from)
  return { getBoundingClientRect: () => new DOMRect(left, top, 0, bottom - top) }
}

function useIsNarrow(): boolean {
  const [query] = useState(() => matchMedia('(max-width: 1023px)'))
  const [isNarrow, setNarrow] = useState(query.matches)
  useEffect(() => {
    const listen = () => setNarrow(query.matches)
    query.addEventListener('change', listen)
    return () => query.removeEventListener('change', listen)
  }, [query])
  return isNarrow
}

const isOfBlock = (error: unknown) =>
  error instanceof CrierError && (error.field?.startsWith('blocks[') ?? false)

const hasOtherError = (error: unknown) => error !== null && error !== undefined && !isOfBlock(error)

/** The message of the service at its field, and at the block that the field is of. */
function faultsOf(error: unknown) {
  const at = error instanceof CrierError ? (error.field ?? '') : ''
  // The message begins with the path of the field, which the canvas shows by its place.
  const shorten = (message: string | undefined) =>
    message?.startsWith(`${at} `) ? message.slice(at.length + 1) : message
  const fault = (field: string) => shorten(faultOf(error)(field))
  const own = (path: string) => {
    const isOwn = at.startsWith(`${path}.`) && !at.startsWith(`${path}.columns[`)
    return isOwn || (at.startsWith(`${path}.`) && !/\.columns\[\d+\]\[\d+\]/.test(at))
      ? fault(at)
      : undefined
  }
  return { fault, own }
}

const pathOf = ({ at, column, within }: Place) =>
  within === undefined ? `blocks[${at}]` : `blocks[${within}].columns[${column}][${at}]`

function placeOf(blocks: readonly Block[], key: number | undefined): Place | undefined {
  for (const [at, block] of blocks.entries()) {
    if (keyOf(block) === key) return { at }
    for (const [column, inner] of (block.columns ?? []).entries()) {
      const found = inner.findIndex((entry) => keyOf(entry) === key)
      if (found >= 0) return { at: found, column, within: at }
    }
  }
  return undefined
}

/** The key, if it is of the block or of one in its columns. */
const keyWithin = (block: Block, key: number | undefined) =>
  placeOf([block], key) ? key : undefined

const listAt = (blocks: readonly Block[], { column, within }: Place) =>
  within === undefined ? blocks : blocks[within]?.columns?.[column ?? 0]

const blockAt = (blocks: readonly Block[], place: Place) => listAt(blocks, place)?.[place.at]

function withList(blocks: readonly Block[], { column, within }: Place, list: Block[]): Block[] {
  if (within === undefined) return list
  return blocks.map((block, n) => {
    if (n !== within) return block
    return withFields(block, { columns: (block.columns ?? []).with(column ?? 0, list) })
  })
}

function withBlocks(blocks: readonly Block[], place: Place, next: Block[]): Block[] {
  const list = listAt(blocks, place)
  return list ? withList(blocks, place, list.toSpliced(place.at, 1, ...next)) : [...blocks]
}

function firstHeadingOf(blocks: readonly Block[]): number | undefined {
  const all = blocks.flatMap((block) => [block, ...(block.columns ?? []).flat()])
  const first = all.find(({ type }) => type === 'heading')
  return first && keyOf(first)
}
