/** Scripts with which bash, zsh and fish complete the words of `crier`. */
import type { Command } from 'commander'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** A command by the words that lead to it, with the words that may follow. */
interface Place {
  path: readonly string[]
  commands: readonly string[]
  options: readonly string[]
}

export function completions(shell: Shell, crier: Command): string {
  const places = placesOf(crier, [])
  if (shell === 'fish') return fish(places)
  return shell === 'bash' ? bash(places) : zsh(places)
}

function placesOf(command: Command, path: readonly string[]): Place[] {
  const own = {
    path,
    commands: command.commands.map((entry) => entry.name()),
    options: [...command.options.flatMap(({ long }) => (long ? [long] : [])), '--help'],
  }
  const inner = command.commands.flatMap((entry) =>
    // The contract's routes use campaigns and webhooks: the same words follow an alias.
    [entry.name(), ...entry.aliases()].flatMap((name) => placesOf(entry, [...path, name])),
  )
  return [own, ...inner]
}

/** The words before the cursor, without options and joined by spaces, select the line. */
function cases({ path, commands, options }: Place): string {
  return `    '${path.join(' ')}') words='${[...commands, ...options].join(' ')}' ;;`
}

const pathOfWords = `  local path='' word words=''
  for word in "$@"; do
    case $word in
      -*) ;;
      *) path="$path $word" ;;
    esac
  done
  path=\${path# }`

function chosen(places: readonly Place[]): string {
  return ['  case $path in', ...places.map(cases), '  esac'].join('\n')
}

function bash(places: readonly Place[]): string {
  return `# crier completion bash > ~/.local/share/bash-completion/completions/crier
_crier_words() {
${pathOfWords}
${chosen(places)}
  printf '%s' "$words"
}
_crier() {
  local before=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  COMPREPLY=($(compgen -W "$(_crier_words "\${before[@]}")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _crier crier
`
}

function zsh(places: readonly Place[]): string {
  return `#compdef crier
# crier completion zsh > "\${fpath[1]}/_crier"
_crier_words() {
${pathOfWords}
${chosen(places)}
  print -r -- $words
}
_crier() {
  local -a found
  found=(\${=$(_crier_words "\${(@)words[2,CURRENT-1]}")})
  compadd -- $found
}
compdef _crier crier 2>/dev/null
`
}

/** fish completes words with a hyphen only if they are declared as options. */
function fish(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, commands, options }) => {
    const here = `complete --command crier --condition "__crier_at '${path.join(' ')}'"`
    return [
      ...(commands.length > 0 ? [`${here} --arguments '${commands.join(' ')}'`] : []),
      ...options.map((option) => `${here} --long-option ${option.slice(2)}`),
    ]
  })
  return `# crier completion fish > ~/.config/fish/completions/crier.fish
function __crier_at
  set --local words (commandline --tokenize --cut-at-cursor --current-process)
  set --local path (string match --invert -- '-*' $words[2..])
  test "$path" = "$argv[1]"
end
complete --command crier --no-files
${lines.join('\n')}
`
}
