export class Importer { constructor(){} async choose(){} }
