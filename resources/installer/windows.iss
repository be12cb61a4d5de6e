; The Windows installer, for Inno Setup 6: `iscc resources\installer\windows.iss /DVersion=0.1.0` after `make bundle` on Windows.
; For one person without administrator's rights, or for all with them; silent with /VERYSILENT. Not tried yet: see the README.
#ifndef Version
  #error Say /DVersion=... (engine.APP_VERSION)
#endif

[Setup]
AppId={{6C0B8F6E-5B1C-4C58-9C0E-6A2F3D6E7A41}
AppName=Antinomy
AppVersion={#Version}
AppPublisher=The Antinomy authors
DefaultDirName={autopf}\Antinomy
DefaultGroupName=Antinomy
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=commandline dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
LicenseFile=..\..\LICENSE
OutputDir=..\..\dist
OutputBaseFilename=antinomy-{#Version}-setup
Compression=lzma2/fast
SolidCompression=yes
ChangesAssociations=yes

[Files]
Source: "..\..\dist\antinomy\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion

[Icons]
Name: "{group}\Antinomy"; Filename: "{app}\antinomy.exe"

[Registry]
Root: HKA; Subkey: "Software\Classes\.antinomy"; ValueType: string; ValueData: "Antinomy.Matter"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\Antinomy.Matter"; ValueType: string; ValueData: "Antinomy matter"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Antinomy.Matter\shell\open\command"; ValueType: string; ValueData: """{app}\antinomy.exe"" ""%1"""
