/** A setting as the docs and `crier doctor` describe it. */
export interface Setting {
  name: string
  default: string
  meaning: string
}
