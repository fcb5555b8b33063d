// The address that a studio prints as the first line of its output.

const PATIENCE = 30000;

function addressIn(process) {
  return new Promise((resolve, reject) => {
    let text = "";
    const timer = setTimeout(() => reject(new Error("it printed no address")), PATIENCE);
    const fail = (error) => {
      clearTimeout(timer);
      reject(error);
    };
    process.stdout.on("data", (data) => {
      text += data;
      const found = /^.*?(https?:\/\/127\.0\.0\.1:\d+\/\S*)/m.exec(text);
      // A line that is not ended may be cut anywhere.
      if (found && text.includes("\n", found.index + found[0].length)) {
        clearTimeout(timer);
        resolve(found[1]);
      }
    });
    process.on("error", fail);
    process.on("exit", (code) => fail(new Error(`it ended with ${code}`)));
  });
}

module.exports = { addressIn };
