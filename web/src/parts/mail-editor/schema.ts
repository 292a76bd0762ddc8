/** What the words of a block are made of in the editor: paragraphs, marks, and chips of Liquid. */
import { type Editor, Extension, Mark, mergeAttributes, Node } from '@tiptap/core'
import type { Node as Document } from '@tiptap/pm/model'
import { Plugin, TextSelection } from '@tiptap/pm/state'
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view'
import { chipName, liquidIn } from '../liquid/chips.ts'
import { isAddress } from './pasted.ts'

const Words = Node.create({ name: 'text', group: 'inline' })

const Paragraph = Node.create({
  name: 'paragraph',
  content: 'inline*',
  parseHTML: () => [{ tag: 'p' }],
  renderHTML: () => ['p', 0],
})

const documentOf = (content: string) => Node.create({ name: 'doc', topNode: true, content })

const HardBreak = Node.create({
  name: 'hardBreak',
  group: 'inline',
  inline: true,
  selectable: false,
  linebreakReplacement: true,
  parseHTML: () => [{ tag: 'br' }],
  renderHTML: () => ['br'],
  renderText: () => '\n',
  addKeyboardShortcuts() {
    return {
      'Shift-Enter': () => this.editor.commands.insertContent({ type: this.name }),
    }
  },
})

/** A value that is filled in, or the author's own code: one thing, which is chosen and deleted whole. */
const Liquid = Node.create({
  name: 'liquid',
  group: 'inline',
  inline: true,
  atom: true,
  selectable: true,
  addAttributes: () => ({
    code: { default: '', parseHTML: (element: HTMLElement) => element.dataset['liquid'] ?? '' },
  }),
  parseHTML: () => [{ tag: 'span[data-liquid]' }],
  renderHTML: ({ node }) => [
    'span',
    { 'data-liquid': node.attrs['code'], class: 'mail-chip' },
    chipName(String(node.attrs['code'])),
  ],
  renderText: ({ node }) => String(node.attrs['code']),
  addProseMirrorPlugins() {
    const { type } = this
    return [
      new Plugin({
        /** Liquid that was typed becomes a chip as soon as it is whole. */
        appendTransaction(transactions, _before, state) {
          if (!transactions.some(({ docChanged }) => docChanged)) return null
          const { tr } = state
          state.doc.descendants((node, pos) => {
            for (const { start, end } of liquidIn(node.text ?? '').reverse()) {
              const chip = type.create({ code: node.text?.slice(start, end) }, null, node.marks)
              tr.replaceWith(tr.mapping.map(pos + start), tr.mapping.map(pos + end), chip)
            }
          })
          return tr.docChanged ? tr : null
        },
      }),
    ]
  },
})

/**
 * Shows what a mail of the gallery leaves to its owner, such as `[[Discount]]`, without its brackets.
 * It is chosen whole, so that what is typed takes its place, and is deleted whole.
 */
const EmptySlots = Extension.create({
  name: 'emptySlots',
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        decorations({ doc }) {
          const spans = slotsIn(doc).flatMap(({ from, to }) => [
            Decoration.inline(from + 2, to - 2, { class: 'mail-slot' }),
            Decoration.inline(from, from + 2, { class: 'mail-slot-edge' }),
            Decoration.inline(to - 2, to, { class: 'mail-slot-edge' }),
          ])
          return DecorationSet.create(doc, spans)
        },
        handleClick(view, pos) {
          return choose(
            view,
            slotsIn(view.state.doc).find(({ from, to }) => from < pos && pos < to),
          )
        },
        handleDOMEvents: {
          // Chromium would keep the size of the bracket for what takes its place, by a style.
          beforeinput(view, event) {
            const { inputType, data } = event
            const { doc, selection, tr } = view.state
            const { from, to } = selection
            const isTyped = inputType === 'insertText' && data !== null && from < to
            if (!isTyped || !slotsIn(doc).some((slot) => slot.from < to && from < slot.to)) {
              return false
            }
            event.preventDefault()
            view.dispatch(tr.insertText(data, from, to))
            return true
          },
        },
        handleKeyDown(view, { key, shiftKey, ctrlKey, metaKey, altKey }) {
          const { doc, selection, tr } = view.state
          const { head, empty } = selection
          if (!empty || shiftKey || ctrlKey || metaKey || altKey) return false
          const isBefore = key === 'Backspace' || key === 'ArrowLeft'
          if (!isBefore && key !== 'Delete' && key !== 'ArrowRight') return false
          const slot = slotsIn(doc).find(({ from, to }) =>
            isBefore ? from < head && head <= to : from <= head && head < to,
          )
          if (!slot || key.startsWith('Arrow')) return choose(view, slot)
          view.dispatch(tr.delete(slot.from, slot.to))
          return true
        },
      },
    }),
  ],
})

interface Span {
  from: number
  to: number
}

function slotsIn(doc: Document): Span[] {
  const slots: Span[] = []
  doc.descendants(({ text = '' }, pos) => {
    for (const { 0: slot, index } of text.matchAll(/\[\[[^[\]]{1,80}\]\]/g)) {
      slots.push({ from: pos + index, to: pos + index + slot.length })
    }
  })
  return slots
}

function choose({ state, dispatch, editable }: EditorView, slot: Span | undefined): boolean {
  if (!slot || !editable) return false
  dispatch(state.tr.setSelection(TextSelection.create(state.doc, slot.from, slot.to)))
  return true
}

const simpleMark = (name: string, tags: string[], key?: string) =>
  Mark.create({
    name,
    parseHTML: () => tags.map((tag) => ({ tag })),
    renderHTML: () => [tags[0] ?? 'span', 0],
    addKeyboardShortcuts() {
      if (key === undefined) return {}
      const toggle = () => this.editor.commands.toggleMark(name)
      return { [`Mod-${key}`]: toggle, [`Mod-${key.toUpperCase()}`]: toggle }
    },
  })

const Accent = Mark.create({
  name: 'accent',
  parseHTML: () => [{ tag: 'span[data-accent]' }],
  renderHTML: () => ['span', { 'data-accent': '', class: 'mail-accent' }, 0],
})

const Colour = Mark.create({
  name: 'colour',
  excludes: 'accent colour',
  addAttributes: () => ({ name: { default: '' } }),
  renderHTML: ({ mark }) => {
    const { name } = mark.attrs as { name: string }
    return ['span', { style: `color: var(--mail-colour-${name}, inherit)` }, 0]
  },
})

const Size = Mark.create({
  name: 'size',
  addAttributes: () => ({
    step: {
      default: 'l',
      parseHTML: (element: HTMLElement) => element.dataset['size'] ?? 'l',
      renderHTML: ({ step }) => ({ 'data-size': step }),
    },
  }),
  parseHTML: () => [{ tag: 'span[data-size]' }],
  renderHTML: ({ HTMLAttributes }) => ['span', HTMLAttributes, 0],
})

const Link = Mark.create({
  name: 'link',
  inclusive: false,
  addAttributes: () => ({ href: { default: '' } }),
  parseHTML: () => [
    {
      tag: 'a[href]',
      getAttrs: (element) => {
        const href = element.getAttribute('href') ?? ''
        return isAddress(href) ? { href } : false
      },
    },
  ],
  renderHTML: ({ HTMLAttributes }) => [
    'a',
    mergeAttributes(HTMLAttributes, { class: 'mail-link', rel: 'noopener nofollow', tabindex: -1 }),
    0,
  ],
})

export type Kind = 'text' | 'list' | 'line' | 'lines'

const marks = [
  Link,
  simpleMark('bold', ['strong', 'b'], 'b'),
  simpleMark('italic', ['em', 'i'], 'i'),
  simpleMark('underline', ['u'], 'u'),
  Accent,
  Colour,
  Size,
]

const nothing = () => true

/** In a line Enter does nothing. */
const OneLine = Extension.create({
  name: 'oneLine',
  addKeyboardShortcuts: () => ({ ['Enter']: nothing, 'Shift-Enter': nothing }),
})

export function extensionsOf(kind: Kind) {
  if (kind === 'line')
    return [documentOf('paragraph'), Paragraph, Words, Liquid, EmptySlots, OneLine]
  if (kind === 'lines') return [documentOf('paragraph+'), Paragraph, Words, Liquid, EmptySlots]
  return [documentOf('paragraph+'), Paragraph, Words, HardBreak, Liquid, EmptySlots, ...marks]
}

export const hasMarks = (editor: Editor) => 'bold' in editor.schema.marks
