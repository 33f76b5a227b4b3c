import fs from 'node:fs'
import module from 'node:module'
import os from 'node:os'
import path from 'node:path'

/** A folder for temporary files that nobody but this user can write to; undefined where there is none. */
function ownFolder() {
  // On Windows each user has temporary files of their own.
  if (!process.getuid) return path.join(os.tmpdir(), 'cairn-compile-cache')
  const folder = path.join(os.tmpdir(), `cairn-compile-cache-${process.getuid()}`)
  try {
    fs.mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (error.code !== 'EEXIST') return undefined
  }
  const found = fs.lstatSync(folder, { throwIfNoEntry: false })
  const isOwn = found?.isDirectory() && found.uid === process.getuid() && (found.mode & 0o022) === 0
  if (!isOwn) return undefined
  if ((found.mode & 0o077) !== 0) fs.chmodSync(folder, 0o700)
  return folder
}

/**
 * Keeps the compiled modules: later starts take half the time. What is kept is run as code, so it must not lie where
 * another user could have put it, as Node's own choice of a folder does.
 */
export function enableCompileCache() {
  const folder = ownFolder()
  if (folder === undefined) return
  // The folder of this Node's version is made here, and is for nobody else either.
  const umask = process.umask(0o077)
  module.enableCompileCache(folder)
  process.umask(umask)
}
