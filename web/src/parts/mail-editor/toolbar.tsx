/** What can be done with the words that are chosen: marks, a link, and values that are filled in. */
import type { Editor } from '@tiptap/core'
import { NodeSelection } from '@tiptap/pm/state'
import { type ReactNode, Suspense, useEffect, useReducer } from 'react'
import { cx } from '../../ui/classes.ts'
import { Select } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { canvasWords } from '../../words/canvas.ts'
import { FieldMenu } from './field-menu.tsx'
import { hasMarks } from './schema.ts'

const BrandColours = lazyPart(() => import('./brand-part.tsx'), 'BrandColours')

/** Renders again whenever the words or the choice of an editor change. */
export function useEditorState(editor: Editor | undefined): void {
  const [, changed] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    if (!editor) return undefined
    editor.on('transaction', changed)
    return () => {
      editor.off('transaction', changed)
    }
  }, [editor])
}

interface ToolbarProps {
  editor: Editor
  onLink: () => void
  /** It stands beside the words, and not in the settings. */
  floats?: boolean
}

export function Toolbar({ editor, onLink, floats = false }: ToolbarProps) {
  useEditorState(editor)
  const w = canvasWords.marks
  const mark = (name: string) => editor.chain().focus().toggleMark(name).run()
  const size = String(editor.getAttributes('size')['step'] ?? '')
  return (
    <div
      role="toolbar"
      aria-label={floats ? w.floating : w.title}
      className={cx(
        'flex flex-wrap items-center gap-0.5',
        floats && 'rounded-lg border border-line bg-raised p-1 shadow-pop',
      )}
    >
      {hasMarks(editor) && (
        <>
          <MarkButton editor={editor} mark="bold" label={w.bold} keys="B" onPress={mark}>
            <b>B</b>
          </MarkButton>
          <MarkButton editor={editor} mark="italic" label={w.italic} keys="I" onPress={mark}>
            <i className="font-serif">I</i>
          </MarkButton>
          <MarkButton editor={editor} mark="underline" label={w.underline} keys="U" onPress={mark}>
            <span className="underline">U</span>
          </MarkButton>
          <MarkButton editor={editor} mark="link" label={w.link} keys="K" onPress={onLink}>
            <Icon name="link" />
          </MarkButton>
          <MarkButton editor={editor} mark="accent" label={w.accent} onPress={mark}>
            <span className="border-b-2 border-accent leading-4 font-semibold text-link">A</span>
          </MarkButton>
          <Suspense>
            <BrandColours editor={editor} />
          </Suspense>
          <Select
            label={w.size}
            hidden
            className="w-24!"
            value={size}
            onChange={({ target }) => {
              const chain = editor.chain().focus()
              if (target.value === '') chain.unsetMark('size').run()
              else chain.setMark('size', { step: target.value }).run()
            }}
            options={Object.entries(w.sizes)}
          />
        </>
      )}
      <FieldMenu
        onField={(code) =>
          editor.chain().focus().insertContent({ type: 'liquid', attrs: { code } }).run()
        }
      />
    </div>
  )
}

interface MarkButtonProps {
  editor: Editor
  mark: string
  label: string
  keys?: string
  onPress: (mark: string) => void
  children: ReactNode
}

const isApple = /Mac|iP(?:hone|ad)/.test(navigator.platform)

function MarkButton({ editor, mark, label, keys, onPress, children }: MarkButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={editor.isActive(mark)}
      title={
        keys === undefined
          ? label
          : `${label} (${isApple ? '⌘' : canvasWords.marks.control}${keys})`
      }
      // The choice stays in the words.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onPress(mark)}
      className={cx(
        'inline-flex size-8 items-center justify-center rounded-md hover:bg-hover max-sm:size-10',
        editor.isActive(mark) ? 'bg-accent-ground text-link' : 'text-ink',
      )}
    >
      {children}
    </button>
  )
}

/** Where the choice of an editor is, within the box that the toolbar floats in. */
export function placeOfChoice(
  editor: Editor,
  box: Element,
): { left: number; top: number } | undefined {
  const { selection } = editor.state
  if (selection.empty || selection instanceof NodeSelection || !editor.isFocused) return undefined
  const [start, end] = [
    editor.view.coordsAtPos(selection.from),
    editor.view.coordsAtPos(selection.to),
  ]
  const around = box.getBoundingClientRect()
  const isNarrow = around.width < 480
  // On a phone its own menu is above the words.
  const top = isNarrow ? end.bottom + 8 : start.top - 52
  const left = isNarrow ? 4 : Math.min(start.left, around.right - 400)
  return {
    left: isNarrow ? 4 : Math.max(4, left - around.left),
    top: Math.max(-12, top - around.top),
  }
}
