/** What the words of a block are made of in the editor: paragraphs, marks, and chips of Liquid. */
import { type Editor, Extension, Mark, mergeAttributes, Node } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'
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

/** Marks what a mail of the gallery leaves to its owner, such as `[[Discount]]`. */
const EmptySlots = Extension.create({
  name: 'emptySlots',
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        decorations({ doc }) {
          const slots: Decoration[] = []
          doc.descendants(({ text = '' }, pos) => {
            for (const { 0: slot, index } of text.matchAll(/\[\[[^[\]]{1,80}\]\]/g)) {
              const start = pos + index
              slots.push(Decoration.inline(start, start + slot.length, { class: 'mail-slot' }))
            }
          })
          return DecorationSet.create(doc, slots)
        },
      },
    }),
  ],
})

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
