import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { automationWords } from '../../words/automations.ts'
import { iconOf } from './icons.ts'

interface AddStepProps {
  kinds: readonly string[]
  onAdd: (kind: string) => void
}

export function AddStep({ kinds, onAdd }: AddStepProps) {
  const w = automationWords
  return (
    <Menu trigger={<Button icon="plus">{w.addStep}</Button>}>
      {kinds.map((kind) => (
        <MenuItem key={kind} icon={iconOf(kind)} onClick={() => onAdd(kind)}>
          {w.kinds[kind]}
        </MenuItem>
      ))}
    </Menu>
  )
}
