/** What can be done with a block, and which blocks can be added. */
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { blockWords } from '../../words/blocks.ts'
import { type BlockType, blockTypes, hasTrait } from './model.ts'

interface BlockMenuProps {
  name: string
  onDuplicate: () => void
  /** Absent where the block is the first. */
  onUp: (() => void) | undefined
  /** Absent where the block is the last. */
  onDown: (() => void) | undefined
  onRemove: () => void
}

export function BlockMenu({ name, onDuplicate, onUp, onDown, onRemove }: BlockMenuProps) {
  return (
    <Menu align="end" trigger={<IconButton icon="dots" label={blockWords.more(name)} />}>
      <MenuItem icon="copy" onClick={onDuplicate}>
        {blockWords.duplicate}
      </MenuItem>
      {onUp && <MenuItem onClick={onUp}>{blockWords.up}</MenuItem>}
      {onDown && <MenuItem onClick={onDown}>{blockWords.down}</MenuItem>}
      <MenuLine />
      <MenuItem icon="close" danger onClick={onRemove}>
        {blockWords.remove}
      </MenuItem>
    </Menu>
  )
}

export function AddMenu({
  column,
  label,
  isSmall = false,
  onAdd,
}: {
  column: number | undefined
  /** In place of the usual words. */
  label?: string
  /** Shows a plus sign alone. */
  isSmall?: boolean
  onAdd: (type: BlockType) => void
}) {
  const types = blockTypes.filter((type) => column === undefined || !hasTrait(type, 'wide'))
  return (
    <Menu
      inColumns
      trigger={
        isSmall ? (
          <IconButton icon="plus" label={label ?? blockWords.add} />
        ) : (
          <Button
            icon="plus"
            aria-label={label ?? (column === undefined ? undefined : blockWords.addTo(column))}
          >
            {label ?? blockWords.add}
          </Button>
        )
      }
    >
      {types.map((type) => (
        <MenuItem key={type} onClick={() => onAdd(type)}>
          {blockWords.types[type]}
        </MenuItem>
      ))}
    </Menu>
  )
}
