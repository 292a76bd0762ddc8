/** Words of a block that are written where they are seen. */
import { Editor } from '@tiptap/core'
import type { Slice } from '@tiptap/pm/model'
import { createContext, useContext, useEffect, useLayoutEffect, useRef } from 'react'
import { cleanHtml } from './pasted.ts'
import { extensionsOf, hasMarks, type Kind } from './schema.ts'
import type { WrittenDocument } from './written-text.ts'

/** What an editor of words asks of the canvas around it. */
export interface Surroundings {
  isEditable: boolean
  onFocus(editor: Editor): void
  onLink(editor: Editor): void
  /** A chip was chosen to be changed. */
  onChip(editor: Editor, pos: number): void
}

export const SurroundingsContext = createContext<Surroundings | undefined>(undefined)

interface RichTextProps<Value> {
  kind: Kind
  value: Value
  read: (value: Value) => WrittenDocument
  write: (document: WrittenDocument) => Value
  onChange: (value: Value) => void
  /** What it is and where, for screen readers. */
  label: string
  placeholder?: string
  className?: string
  isWrong?: boolean
  isRequired?: boolean
  /** The id of what is said about it. */
  describedBy?: string | undefined
  /** The editor, for what stands around it. */
  onEditor?: (editor: Editor) => void
  /** Enter was pressed in a line. */
  onEnter?: (() => void) | undefined
  /** `/` was typed in an empty paragraph, which has this place. */
  onSlash?: (editor: Editor, paragraph: number) => void
}

export function RichText<Value extends string | string[]>(props: RichTextProps<Value>) {
  const { kind, value, label, className, placeholder, describedBy } = props
  const { isWrong = false, isRequired = false } = props
  const place = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor>(undefined)
  const around = useContext(SurroundingsContext)
  const latest = useRef({ props, around })
  useLayoutEffect(() => {
    latest.current = { props, around }
  })
  /** What the words of the editor are saved as. */
  const saved = useRef(JSON.stringify(value))
  const isEditable = around?.isEditable ?? false
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor outlives its words.
  useEffect(() => {
    const made = new Editor({
      element: place.current,
      extensions: extensionsOf(kind),
      content: latest.current.props.read(latest.current.props.value),
      // The policy of the page allows no style elements.
      injectCSS: false,
      editable: isEditable,
      enableInputRules: false,
      enablePasteRules: false,
      onUpdate: ({ editor: changed, transaction }) => {
        if (transaction.getMeta('isFromOutside') === true) return
        const { write, onChange } = latest.current.props
        const next = write(changed.getJSON() as WrittenDocument)
        changed.view.dom.classList.toggle('is-empty', changed.isEmpty)
        if (JSON.stringify(next) === saved.current) return
        saved.current = JSON.stringify(next)
        onChange(next)
      },
      onFocus: ({ editor: focused }) => latest.current.around?.onFocus(focused),
      editorProps: {
        transformPastedHTML: cleanHtml,
        clipboardTextSerializer: (slice: Slice) =>
          slice.content.textBetween(0, slice.content.size, '\n\n', (leaf) =>
            leaf.type.name === 'liquid' ? String(leaf.attrs['code']) : '\n',
          ),
        handleKeyDown: (_view, event) => keyDown(made, event, latest.current),
        handleClickOn: (_view, _pos, node, nodePos, _event, direct) => {
          if (!direct || node.type.name !== 'liquid' || !made.isEditable) return false
          latest.current.around?.onChip(made, nodePos)
          return true
        },
        handleDOMEvents: {
          // A link is followed in the preview, not while it is written.
          click: (_view, event) => {
            if ((event.target as Element).closest('a')) event.preventDefault()
            return false
          },
        },
      },
    })
    editor.current = made
    latest.current.props.onEditor?.(made)
    return () => made.destroy()
  }, [kind])
  useEffect(() => editor.current?.setEditable(isEditable, false), [isEditable])
  useEffect(() => {
    const { current } = editor
    if (!current) return
    const { dom } = current.view
    const attributes = {
      role: 'textbox',
      'aria-multiline': String(kind !== 'line'),
      'aria-label': label,
      'data-placeholder': placeholder ?? '',
      'data-kind': kind,
      ...(isWrong && { 'aria-invalid': 'true' }),
      ...(isRequired && { 'aria-required': 'true' }),
      ...(describedBy !== undefined && { 'aria-describedby': describedBy }),
      ...(!isEditable && { 'aria-readonly': 'true', tabindex: '0' }),
    }
    current.setOptions({ editorProps: { ...current.options.editorProps, attributes } })
    dom.classList.toggle('is-empty', current.isEmpty)
  }, [kind, label, placeholder, isWrong, isRequired, describedBy, isEditable])
  const words = JSON.stringify(value)
  useEffect(() => {
    const { current } = editor
    // What was typed may be shown otherwise than it is saved, such as an empty line at the end.
    if (!current || words === saved.current) return
    saved.current = words
    show(current, latest.current.props.read(JSON.parse(words) as Value))
    current.view.dom.classList.toggle('is-empty', current.isEmpty)
  }, [words])
  return <div ref={place} className={className} />
}

/** Changes what is different and nothing else, so that the caret stays where it is. */
function show(editor: Editor, document: WrittenDocument): void {
  const { state, view, schema } = editor
  const next = schema.nodeFromJSON(document)
  const start = state.doc.content.findDiffStart(next.content)
  if (start === null) return
  const end = state.doc.content.findDiffEnd(next.content)
  if (!end) return
  const overlap = Math.max(0, start - Math.min(end.a, end.b))
  const slice = next.slice(start, end.b + overlap)
  view.dispatch(
    state.tr
      .replace(start, end.a + overlap, slice)
      .setMeta('isFromOutside', true)
      .setMeta('addToHistory', false),
  )
}

interface Latest {
  props: Pick<RichTextProps<never>, 'onSlash' | 'onEnter'>
  around: Surroundings | undefined
}

function keyDown(editor: Editor, event: KeyboardEvent, { props, around }: Latest): boolean {
  const { selection } = editor.state
  const { $from, empty } = selection
  if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
    if (!hasMarks(editor)) return false
    event.preventDefault()
    // The page's own search is opened with the same keys.
    event.stopPropagation()
    around?.onLink(editor)
    return true
  }
  if (event.key === 'Enter' && 'node' in selection) {
    around?.onChip(editor, selection.from)
    return true
  }
  if (event.key === 'Enter' && props.onEnter) {
    event.preventDefault()
    props.onEnter()
    return true
  }
  const isEmptyLine = empty && $from.parent.content.size === 0
  if (event.key === '/' && isEmptyLine && props.onSlash && !event.ctrlKey && !event.metaKey) {
    props.onSlash(editor, $from.index(0))
    return true
  }
  return false
}
