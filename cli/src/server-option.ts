/** The option for the service's address. This file loads nothing, so that `--help` starts quickly. */
import type { Command } from 'commander'

export const defaultServer = 'http://localhost:8080'

/** `--server`, or the variable CRIER_URL; `--url` is a field of some operations. */
export function addServerOption(command: Command): Command {
  const server = process.env['CRIER_URL'] || defaultServer
  return command.option('--server <address>', "the server's address, or set CRIER_URL", server)
}

export function addBusinessOption(command: Command): Command {
  return command.option('--business <id>', 'the business to act in, bus_…')
}
