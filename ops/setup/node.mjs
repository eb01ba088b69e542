const oldest = [20, 19]

/** Ends the process with one message where Node is too old; written so that even an old Node can run it. */
export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return
  process.stderr.write(
    `Node ${oldest.join('.')} or newer is needed, and this is ${process.versions.node} (${process.execPath}).\n` +
      'Install a newer one, for example from https://nodejs.org/en/download or with `nvm install 22`, and run the command again.\n',
  )
  process.exit(1)
}
